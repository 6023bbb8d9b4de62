import { expect, test } from 'bun:test'
import type { Project } from '../../conformance/support/project.ts'
import { until } from '../../conformance/support/until.ts'
import { column, withProvider } from '../support/playground.ts'

interface ListedRun {
  readonly state: string
  readonly llm: string | null
  readonly prompt: { readonly name: string; readonly version: number | null } | null
  readonly dataset: { readonly name: string; readonly version: number | null } | null
  readonly rows_ended: number
}

const runsOf = async ({ client, id }: Project): Promise<readonly ListedRun[]> =>
  (await client.post<{ runs: ListedRun[] }>('/evaluations/runs/query', { project_id: id })).json.runs

test('what was tried on rows is saved and evaluated: every column is a candidate', async () => {
  await withProvider(async (visit, { project }) => {
    const { page } = visit
    await project.client.post('/v2/acme/play/datasets', { name: 'words', rows: [{ word: 'one' }, { word: 'two' }] })
    await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
    await page.getByRole('combobox', { name: 'Dataset', exact: true }).selectOption('words')
    const version = page.getByRole('combobox', { name: 'Version of the dataset' })
    await page.getByText('row 1 of 2', { exact: true }).waitFor()
    await version.selectOption({ label: 'v0, 30 rows' })
    await page.getByText('row 1 of 30').waitFor()
    await version.selectOption({ label: 'v1, 2 rows' })
    await page.getByRole('button', { name: 'Column', exact: true }).click()
    await column(page, 'B').getByRole('combobox', { name: 'Model B' }).fill('gpt-4o')
    await column(page, 'B')
      .getByRole('textbox', { name: /Text of message 1/ })
      .fill('Shout {{word}}')
    await page.getByRole('button', { name: 'Run on 2 rows' }).click()
    await page.getByRole('cell', { name: 'You said: Shout two' }).waitFor()
    await page.getByRole('button', { name: 'Save and run as evaluation' }).click()

    const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
    const model = (at: number) => dialog.getByRole('combobox', { name: `Model of candidate ${at}` })
    await until(async () => (await model(2).inputValue()) === 'gpt-4o')
    expect(await model(1).inputValue()).toBe('gpt-4o-mini')
    await dialog.getByRole('button', { name: 'Start 2 runs over 2 rows' }).click()
    await until(async () => (await runsOf(project)).filter(({ state }) => state === 'done').length === 2)
    const runs = await runsOf(project)
    expect(runs.map(({ llm, prompt, dataset, rows_ended }) => ({ llm, prompt, dataset, rows_ended }))).toEqual(
      expect.arrayContaining(
        [
          { llm: 'gpt-4o-mini', version: 0 },
          { llm: 'gpt-4o', version: 1 },
        ].map(({ llm, version: index }) => ({
          llm,
          prompt: expect.objectContaining({ name: 'sayer', version: index }),
          dataset: expect.objectContaining({ name: 'words', version: 1 }),
          rows_ended: 2,
        })),
      ),
    )
  })
})

test('a prompt from a call is named once, saved, and evaluated', async () => {
  await withProvider(async (visit, { project, call }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/playground?call=${call}`)
    await page.getByRole('combobox', { name: 'Dataset', exact: true }).selectOption('words')
    await page.getByRole('button', { name: 'Run on 20 rows' }).click()
    await page.getByText('20 done').waitFor()
    await page.getByRole('button', { name: 'Save and run as evaluation' }).click()
    const naming = page.getByRole('dialog', { name: 'New prompt' })
    await naming.getByRole('textbox').fill('refunds')
    await naming.getByRole('button', { name: 'Save v0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
    await dialog.getByRole('button', { name: 'Start 1 run over 30 rows' }).waitFor()
    await page.goBack()
    await column(page, 'A').getByRole('combobox', { name: 'Prompt A' }).waitFor()
    expect(await column(page, 'A').getByRole('combobox', { name: 'Prompt A' }).inputValue()).toBe('refunds')
  })
})

test('a version that came first keeps a save from overwriting it; both are shown, and nothing is lost', async () => {
  await withProvider(
    async (visit, { project }) => {
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/playground?prompt=sayer`)
      const text = column(page, 'A').getByRole('textbox', { name: /Text of message 1/ })
      await text.fill('Mine {{word}}')
      const val = {
        _type: 'MessagesPrompt',
        _class_name: 'MessagesPrompt',
        _bases: ['Prompt', 'Object', 'BaseModel'],
        messages: [{ role: 'user', content: 'Theirs {{word}}' }],
        template_format: 'mustache',
        model: 'gpt-4o-mini',
      }
      await project.client.post('/obj/create', { obj: { project_id: project.id, object_id: 'sayer', val } })
      await page.keyboard.press('Control+s')
      await page.getByText('v1 was saved by', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Show both' }).click()
      await page.getByText('Theirs').first().waitFor()
      await page.getByText('Mine').first().waitFor()
      await page.goBack()
      await text.waitFor()
      expect(await text.inputValue()).toBe('Mine {{word}}')
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Save as v2' }).click()
      await page.getByText('sayer v2 saved').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Nothing new to save: it is sayer v2').waitFor()
    },
    [/409/],
  )
})
