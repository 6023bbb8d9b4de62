import { expect, test } from 'bun:test'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createObject } from '../../conformance/support/evaluation-engine.ts'
import { Project } from '../../conformance/support/project.ts'
import type { ServerProcess } from '../../conformance/support/server-process.ts'
import { until } from '../../conformance/support/until.ts'
import { onOwnServer } from '../support/own-server.ts'

const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object', properties: { q: {} } } } }

interface ListedRun {
  readonly state: string
  readonly llm: string | null
  readonly evaluation: { readonly name: string }
  readonly prompt: { readonly name: string; readonly version: number | null } | null
  readonly dataset: { readonly name: string; readonly version: number | null } | null
  readonly scorers: readonly { readonly name: string }[]
  readonly trials: number
  readonly rows_scored: number
  readonly rows_chosen: unknown
  readonly cost_limit: number | null
}

/** A project with a prompt, a scorer, and a dataset with a version for each number of rows. */
async function seed({ client }: ServerProcess, sizes: readonly number[] = [3, 4]): Promise<Project> {
  const project = new Project(client, 'acme', 'starts')
  const val = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages: [{ role: 'user', content: 'Say {{word}}' }],
    template_format: 'mustache',
    model: 'gpt-4o',
    settings: { temperature: 0.5 },
    tools: [tool],
  }
  await client.post('/obj/create', { obj: { project_id: project.id, object_id: 'sayer', val } })
  for (const count of sizes) {
    const rows = Array.from({ length: count }, (_, at) => ({ word: `w${at}`, expected: `You said: Say w${at}` }))
    await client.post('/v2/acme/starts/datasets', { name: 'words', rows })
  }
  await createObject(project, 'exact', 'ExactMatchScorer', {})
  return project
}

const runsOf = async ({ client, id }: Project): Promise<readonly ListedRun[]> =>
  (await client.post<{ runs: ListedRun[] }>('/evaluations/runs/query', { project_id: id })).json.runs

test('a run takes the rows that the filter of a dataset leaves', async () => {
  const stub = startStubModel()
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-start-test' }
    await onOwnServer({ env }, async (visit, server) => {
      const project = await seed(server, [12])
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/datasets/words?f=${encodeURIComponent('word ~ w1')}`)
      await page.getByText('3 of 12 rows match').waitFor()
      await page.getByRole('button', { name: 'Evaluate' }).click()
      const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
      const rows = dialog.getByRole('combobox', { name: 'Rows', exact: true })
      await until(async () => (await rows.locator('option:checked').textContent()) === 'Filtered: 3 rows')
      await dialog.getByRole('textbox', { name: 'Only the first … rows' }).fill('2')
      await dialog.getByRole('button', { name: 'Start 1 run over 2 rows' }).click()
      await page.getByText('1 run started', { exact: false }).waitFor()
      await until(async () => (await runsOf(project)).every(({ state }) => state === 'done'))
      const [run] = await runsOf(project)
      expect(run).toMatchObject({ rows_scored: 2, rows_chosen: { row_digests: 3, limit: 2 } })
    })
  } finally {
    await stub.stop()
  }
}, 300_000)

test('two runs are started from a dataset, once every model has a key, and end with scores', async () => {
  const stub = startStubModel()
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-start-test' }
    await onOwnServer({ env }, async (visit, server) => {
      const project = await seed(server)
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/datasets/words`)
      await page.getByRole('button', { name: 'Evaluate' }).click()
      const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
      const model = (at: number) => dialog.getByRole('combobox', { name: `Model of candidate ${at}` })
      await until(async () => (await model(1).inputValue()) === 'gpt-4o')
      await dialog.getByText('no estimate: no earlier run of this model').waitFor()
      await dialog.getByRole('button', { name: 'Run from code' }).click()
      const code = page.getByRole('dialog', { name: 'Evaluate from code' })
      await code.getByText('def my_model(word)').waitFor()
      await page.keyboard.press('Escape')
      await code.waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: 'Add candidate' }).click()
      await dialog.getByText('Candidate 2 needs a model.').waitFor()
      // A prompt that is chosen brings its model, where none is named yet.
      const prompt = dialog.getByRole('combobox', { name: 'Prompt of candidate 2' })
      await prompt.selectOption({ index: 0 })
      await prompt.selectOption({ label: 'sayer:v0' })
      await until(async () => (await model(2).inputValue()) === 'gpt-4o')
      await model(2).fill('claude-haiku-4-5')
      await dialog.getByText('No API key for provider "anthropic"').waitFor()
      await dialog.getByRole('link', { name: 'Add it in the settings' }).waitFor()
      const start = dialog.getByRole('button', { name: 'Start 2 runs over 4 rows' })
      expect(await start.isDisabled()).toBe(true)
      await model(2).fill('gpt-4o-mini')
      await dialog.getByRole('textbox', { name: 'Trials per row' }).fill('2')
      await dialog.getByRole('textbox', { name: 'Cost limit per run, $' }).fill('5')
      await dialog.getByText('4 rows × 2 trials × 2 candidates = 16 model calls').waitFor()
      await start.click()
      await page.getByText('2 runs started').waitFor()
      await dialog.waitFor({ state: 'detached' })
      // The toast leads to the comparison of the two, which waits for their rows.
      await page.getByRole('status').getByRole('button', { name: 'Compare' }).click()
      await page.waitForURL(/\/evaluations\/compare\?runs=/)
      await page.getByRole('treegrid').getByText('w0').first().waitFor()
      await until(async () => (await runsOf(project)).filter(({ state }) => state === 'done').length === 2)

      const runs = await runsOf(project)
      expect(runs.map(({ llm }) => llm).toSorted()).toEqual(['gpt-4o', 'gpt-4o-mini'])
      for (const run of runs)
        expect(run).toMatchObject({
          evaluation: { name: 'words-evaluation' },
          prompt: { name: 'sayer', version: 0 },
          dataset: { name: 'words', version: 1 },
          scorers: [{ name: 'exact' }],
          trials: 2,
          rows_scored: 4,
          cost_limit: 5,
        })
      expect(stub.requests).toHaveLength(16)
      const [first] = stub.requests
      expect(Object.keys(first?.body ?? {}).toSorted()).toEqual(['messages', 'model', 'temperature', 'tools'])
      expect(first?.body).toMatchObject({ temperature: 0.5, tools: [tool] })

      // The list of runs offers the same, and the address says that it is open.
      await visit.goTo(`/ui/${project.id}/evaluations`)
      await page.getByText('2 runs', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Evaluations' }).click()
      await page.keyboard.press('n')
      await dialog.waitFor()
      await page.waitForURL(/start=1/)
      await page.reload()
      await dialog.getByText('from the run of words-evaluation').first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('2 runs', { exact: true }).waitFor()
    })
  } finally {
    await stub.stop()
  }
})

test('a run over a split says how many rows it has, what they can find, and that it was one', async () => {
  const stub = startStubModel()
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-start-test' }
    await onOwnServer({ env }, async (visit, server) => {
      const project = await seed(server, [60])
      const dataset_ref = `ext:///${project.id}/object/words:latest`
      const body = { project_id: project.id, dataset_ref, rows: [{ split: 'test' }] }
      const { counts } = (await server.client.post<{ counts: number[] }>('/evaluations/count_rows', body)).json
      const inTest = counts[0] ?? 0
      const { page } = visit
      await visit.goTo(`/ui/${project.id}/evaluations?start=1`)
      const dialog = page.getByRole('dialog', { name: 'Start evaluation' })
      await dialog.getByText('60 rows: a difference of about 18 points can be detected').waitFor()
      await dialog.getByRole('combobox', { name: 'Rows' }).selectOption('test')
      await dialog.getByRole('button', { name: `Start 1 run over ${inTest} rows` }).waitFor()
      await dialog.getByRole('textbox', { name: 'Only the first' }).fill('0')
      await dialog.getByText('A whole number from 1, or empty').waitFor()
      expect(await dialog.getByRole('button', { name: /^Start 1 run/ }).isDisabled()).toBe(true)
      await dialog.getByRole('textbox', { name: 'Only the first' }).fill('5')
      await dialog.getByText('5 rows: too few to detect a difference').waitFor()
      await dialog.getByRole('button', { name: 'Start 1 run over 5 rows' }).click()
      await page.getByText('1 run started').waitFor()
      await page.getByText('v0 test, first 5').waitFor()
      await until(async () => (await runsOf(project)).filter(({ state }) => state === 'done').length === 1)
      expect(stub.requests).toHaveLength(5)
      await page.getByRole('link', { name: 'gpt-4o' }).click()
      await page.getByText('test, first 5: 5 rows').waitFor()
    })
  } finally {
    await stub.stop()
  }
})

test('a key that may only read sees no way to start a run', async () => {
  await onOwnServer({ role: 'read' }, async (visit, server) => {
    const project = await seed(server)
    await visit.goTo(`/ui/${project.id}/datasets/words`)
    await visit.page.getByRole('button', { name: 'Export' }).waitFor()
    expect(await visit.page.getByRole('button', { name: 'Evaluate' }).count()).toBe(0)
    await visit.goTo(`/ui/${project.id}/evaluations?start=1`)
    await visit.page.getByText('No runs yet').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Start evaluation' }).count()).toBe(0)
    expect(await visit.page.getByRole('dialog').count()).toBe(0)
  })
})
