import { expect, test } from 'bun:test'
import { until } from '../../conformance/support/until.ts'
import { onOwnServer } from '../support/own-server.ts'
import { answer, column, tool, withProvider } from '../support/playground.ts'

test('a call is opened, sent unchanged, compared in two columns, edited, and survives a reload', async () => {
  await withProvider(async (visit, { project, call, stub }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/playground?call=${call}`)
    const sent = stub.requests.length
    await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
    await answer(page, 'A').getByText('You said: Refund M20IZO').waitFor()
    expect(stub.requests[sent]?.body).toEqual({
      ...stub.requests[0]?.body,
      stream: true,
      stream_options: { include_usage: true },
    })
    await page.getByRole('button', { name: 'Column', exact: true }).click()
    await column(page, 'B')
      .getByRole('textbox', { name: /Text of message 2/ })
      .fill('Refund it, please')
    await page.getByText('B has edits').waitFor()
    await page.keyboard.press('Control+Enter')
    await answer(page, 'B').locator('ins').first().waitFor()
    await page.reload()
    await visit.settled()
    expect(
      await column(page, 'B')
        .getByRole('textbox', { name: /Text of message 2/ })
        .inputValue(),
    ).toBe('Refund it, please')
    const calls = await project.query()
    expect(calls.filter(({ op_name }) => op_name === 'playground.completion')).toHaveLength(3)
  })
})

test('a version is run with the rows of a dataset, saved, and counts for its calls', async () => {
  await withProvider(async (visit, { project, stub }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/prompts/sayer`)
    await page.getByRole('button', { name: 'Try' }).click()
    await column(page, 'A').waitFor()
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption('words')
    await page.getByText('row 1 of 30').waitFor()
    await page.getByRole('heading', { name: 'Playground' }).click()
    await page.keyboard.press(']')
    await page.getByText('row 2 of 30').waitFor()
    await until(async () => (await page.getByRole('textbox', { name: 'Value of word' }).inputValue()) === 'w1')
    await page.keyboard.press('Control+Enter')
    await answer(page, 'A').getByText('You said: Say w1').waitFor()
    await page.getByRole('button', { name: 'Run on 20 rows' }).click()
    await page.getByText('20 done').waitFor()
    await page.getByRole('cell', { name: 'You said: Say w20' }).waitFor()
    expect(stub.requests).toHaveLength(1 + 1 + 20)
    await column(page, 'A')
      .getByRole('textbox', { name: /Text of message 1/ })
      .fill('Shout {{word}}')
    await page.keyboard.press('Control+s')
    await page.getByText('sayer v1 saved').waitFor()
  })
})

test('errors of the provider stand as they were sent; what streamed before one is kept and continued', async () => {
  await withProvider(async (visit, { project, call }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/playground?call=${call}`)
    const model = column(page, 'A').getByRole('combobox', { name: 'Model A' })
    const run = column(page, 'A').getByRole('button', { name: 'Run A' })
    await model.fill('stub-limited')
    await run.click()
    await page.getByText('429 from the provider').waitFor()
    await page.getByText('{"error":{"message":"The stub wants you to wait"', { exact: false }).waitFor()
    await page
      .getByRole('timer')
      .getByText(/again in \d+ s/)
      .waitFor()
    await page.getByRole('button', { name: 'Do not wait' }).click()
    await page.getByRole('timer').waitFor({ state: 'detached' })
    await model.fill('stub-broken')
    await run.click()
    await answer(page, 'A').getByText('incomplete', { exact: true }).waitFor()
    await answer(page, 'A').getByText('You said').waitFor()
    await model.fill('gpt-4o-mini')
    await answer(page, 'A').getByRole('button', { name: 'Continue' }).click()
    await answer(page, 'A').getByText('incomplete', { exact: true }).waitFor({ state: 'detached' })
    await model.fill('stub-slow')
    await run.click()
    await page.getByRole('button', { name: 'Stop A', exact: true }).click()
    await column(page, 'A').getByText('stopped').first().waitFor()
  })
})

test('a tool call waits for its result, which is given by hand, and settings are sent', async () => {
  await withProvider(async (visit, { project, stub }) => {
    const { page } = visit
    const inputs = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [tool], tool_choice: 'required' }
    const asked = { project_id: project.id, inputs }
    const { json } = await project.client.post<{ ext_call_id: string }>('/completions/create', asked)
    await visit.goTo(`/ui/${project.id}/playground?call=${json.ext_call_id}`)
    await column(page, 'A').getByRole('button', { name: 'Settings of A' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'seed' }).fill('7')
    await page.keyboard.press('Escape')
    await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
    await page.getByRole('textbox', { name: 'Result of find' }).fill('{"found": 1}')
    const sent = stub.requests.length
    await page.getByRole('button', { name: 'Send result' }).click()
    await until(() => stub.requests.length > sent)
    const called = { id: 'call_stub', type: 'function', function: { name: 'find', arguments: '{}' } }
    expect(stub.requests.at(-1)?.body).toMatchObject({
      seed: 7,
      tool_choice: 'required',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [{ ...called, function: { name: 'find' } }] },
        { role: 'tool', tool_call_id: 'call_stub', content: '{"found": 1}' },
      ],
    })
  })
})

test('from a trace, a call goes to a dataset or the playground by key, and is deleted with undo', async () => {
  await withProvider(async (visit, { project, call }) => {
    const { page } = visit
    const { trace_id } = await project.readExisting(call)
    await visit.goTo(`/ui/${project.id}/trace/${trace_id}`)
    await page.getByRole('button', { name: 'Actions on the call' }).click()
    expect(await page.getByRole('menuitem').allTextContents()).toHaveLength(6)
    await page.keyboard.press('Escape')
    await page.keyboard.press('d')
    await page.waitForURL((url) => !url.pathname.includes('/trace/'))
    await page.goBack()
    await page.getByRole('button', { name: 'Actions on the call' }).waitFor()
    await page.keyboard.press('p')
    await column(page, 'A').getByText('Refund M20IZO').first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Actions on the call' }).waitFor()
    await page.keyboard.press('Shift+Backspace')
    await page.waitForURL(/\/traces/)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect((await project.readExisting(call)).id).toBe(call)
  })
})

test('a key that can only read sees no control that runs or saves', async () => {
  await onOwnServer({ role: 'read' }, async (visit) => {
    const { page } = visit
    await visit.goTo('/ui/acme/play/playground')
    await page.getByText('This key can only read.', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: /Run|Save|Column$/ }).count()).toBe(0)
  })
})
