import { expect, test } from 'bun:test'
import { until } from '../../conformance/support/until.ts'
import { answer, column, tool, withProvider } from '../support/playground.ts'

test('an empty playground offers calls, prompts and models; a missing key leads to the settings', async () => {
  await withProvider(async (visit, { project, call }) => {
    const { page } = visit
    await visit.goTo('/ui/acme/fresh/playground')
    const steps = page.getByRole('region', { name: 'Where to begin' })
    await steps.getByText('No call names a model yet.').waitFor()
    await steps.getByText('No prompts yet.').waitFor()
    // The call of an evaluation names an object, which no provider knows.
    const inputs = { model: 'ext:///acme/words/object/agent:abc' }
    await project.complete({ id: 'predicted', op_name: 'predict', started_at: new Date().toISOString(), inputs })
    const embedded = { model: 'text-embedding-3-small', input: 'Hi' }
    const started_at = new Date().toISOString()
    await project.complete({ id: 'embedded', op_name: 'openai.embeddings.create', started_at, inputs: embedded })
    await visit.goTo(`/ui/${project.id}/playground`)
    await steps.getByRole('button', { name: 'gpt-4o-mini' }).click()
    expect(await steps.getByText('agent').count()).toBe(0)
    // What only embeds answers no messages.
    expect(await steps.getByText(/embedding/).count()).toBe(0)
    const model = column(page, 'A').getByRole('combobox', { name: 'Model A' })
    expect(await model.inputValue()).toBe('gpt-4o-mini')
    await model.fill('claude-haiku-4-5')
    await page.getByText('No API key for provider "anthropic"').waitFor()
    expect(await page.getByRole('link', { name: 'Add it in the settings' }).getAttribute('href')).toContain('secrets')
    await steps.getByRole('link', { name: /gpt-4o-mini/ }).click()
    await page.waitForURL(new RegExp(`call=${call}`))
    await column(page, 'A').getByText('Refund M20IZO').first().waitFor()
  })
})

test('a result comes from the trace; a column that runs three times keeps three results and their cost', async () => {
  await withProvider(async (visit, { project, stub }) => {
    const { page } = visit
    const inputs = {
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [tool],
      tool_choice: 'required',
    }
    const started_at = new Date().toISOString()
    const place = { trace_id: 'traced', started_at }
    await project.complete({ ...place, id: 'asked', op_name: 'chat', inputs, output: {} })
    const found = { id: 'found', op_name: 'find', inputs: {}, output: { found: 'a seat' } }
    await project.complete({ ...place, ...found, parent_id: 'asked' })
    await visit.goTo(`/ui/${project.id}/playground?call=asked`)
    await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
    const result = page.getByRole('textbox', { name: 'Result of find' })
    await until(async () => (await result.inputValue()) === '{"found":"a seat"}')
    await page.getByText(/^from the trace/).waitFor()

    await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
    await page.getByRole('textbox', { name: 'Value of word' }).fill('so')
    await page.getByRole('spinbutton', { name: 'Runs' }).fill('3')
    const sent = stub.requests.length
    await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
    await answer(page, 'A').getByText('You said: Say so').waitFor()
    expect(stub.requests).toHaveLength(sent + 3)
    await column(page, 'A').getByText('3', { exact: true }).click()
    await answer(page, 'A').getByText('You said: Say so').waitFor()
    await page.getByText(/ so far$/).waitFor()
  })
})

test('what is typed survives a reload while the model cannot be reached; hostile text stays text', async () => {
  await withProvider(
    async (visit, { project }) => {
      const { page } = visit
      const hostile = '</textarea><img src=x onerror="document.title=1">\u202e{{word}} مرحبا'
      await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
      const text = column(page, 'A').getByRole('textbox', { name: /Text of message 1/ })
      await text.fill(hostile)
      await page.getByRole('textbox', { name: 'Value of word' }).fill('<b>so</b>')
      await page.context().setOffline(true)
      await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
      await page.getByText('The run could not be sent').waitFor()
      await page.context().setOffline(false)
      await page.reload()
      await visit.settled()
      expect(await text.inputValue()).toBe(hostile)
      expect(await page.getByRole('textbox', { name: 'Value of word' }).inputValue()).toBe('<b>so</b>')
      await column(page, 'A').getByRole('button', { name: 'Run A' }).click()
      await answer(page, 'A').getByText('<b>so</b>', { exact: false }).waitFor()
      expect(await page.locator('img').count()).toBe(0)
    },
    [/ERR_INTERNET_DISCONNECTED|Failed to (?:load|fetch)/],
  )
})
