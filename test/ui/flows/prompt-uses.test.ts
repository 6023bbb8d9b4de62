import { beforeAll, expect, test } from 'bun:test'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})

/** A prompt in three versions, of which the last two were used, and evaluated on the same rows. */
async function withComparedVersions(id: string, rowCount: number) {
  const { client } = world.server
  const project = new Project(client, 'acme', id)
  const object = async (object_id: string, val: object, builtin_object_class?: string) => {
    const obj = { project_id: project.id, object_id, val, ...(builtin_object_class && { builtin_object_class }) }
    const { status, json, text } = await client.post<{ digest: string }>('/obj/create', { obj })
    if (status !== 200) throw new Error(`Create ${object_id}: ${status} ${text}`)
    return `ext:///${project.id}/object/${object_id}:${json.digest}`
  }
  const typed = (_type: string, base: string) => ({ _type, _class_name: _type, _bases: [base, 'Object', 'BaseModel'] })
  const prompts: string[] = []
  for (const content of ['Be kind.', 'Be brief.', 'Be kind and brief.'])
    prompts.push(
      await object('greeting', { ...typed('MessagesPrompt', 'Prompt'), messages: [{ role: 'system', content }] }),
    )
  const exact = await object('solved', {}, 'ExactMatchScorer')
  const dataset = `ext:///${project.id}/object/cases:d1`
  const evaluation = await object('solve', { ...typed('Evaluation', 'Object'), dataset, scorers: [exact] })
  const hour = 3_600_000
  for (const version of [1, 2]) {
    const params = { llm_model_id: 'gpt-4o', default_params: { prompt: prompts[version] } }
    const model = await object('agent', params, 'LLMStructuredCompletionModel')
    const runId = `run-${id}-${version}`
    const startedMs = Date.now() - (3 - version) * hour
    const common = {
      project_id: project.id,
      trace_id: runId,
      attributes: {},
      summary: {},
      started_at: new Date(startedMs).toISOString(),
      ended_at: new Date(startedMs + 60_000).toISOString(),
    }
    const inputs = { self: evaluation, model }
    const run = { ...common, id: runId, op_name: 'Evaluation.evaluate', inputs, output: {} }
    const trials = Array.from({ length: rowCount }, (_, row) => ({
      ...common,
      id: `${runId}-${row}`,
      parent_id: runId,
      op_name: 'Evaluation.predict_and_score',
      inputs: { ...inputs, example: { row } },
      output: { output: 'Hello', scores: { solved: version === 2 || row < 3 } },
    }))
    const used = Array.from({ length: version }, (_, at) => ({
      ...common,
      id: `${runId}-used-${at}`,
      trace_id: `${runId}-used-${at}`,
      op_name: 'chat',
      inputs: { prompt: prompts[version] },
      output: 'Hello',
      ...(at === 1 && { exception: 'RateLimitError: 429' }),
    }))
    await project.complete(run, ...trials, ...used)
  }
  return { path: `/ui/${project.id}/prompts/greeting` }
}

test('versions have the uses of a day, and the word of their latest comparison, which leads to it', async () => {
  const { path } = await withComparedVersions('compared-prompts', 30)
  await world.visit(async (visit) => {
    const { page } = visit
    await visit.goTo(path)
    const listed = page.getByRole('navigation', { name: 'Prompts' }).getByRole('link', { name: /greeting/ })
    expect(await listed.textContent()).toMatch(/1 failed.*3 versions.*3$/)
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await versions.getByText('2 in 24 h').waitFor()
    await versions.getByText('1 in 24 h').waitFor()
    expect(await versions.getByText(/ than v| as v| from v/).allInnerTexts()).toEqual(['better than v1'])
    await versions.getByRole('link', { name: 'better than v1' }).click()
    await page.waitForURL('**/evaluations/compare?**')
    await page.getByRole('region', { name: 'solved' }).getByText('better', { exact: true }).waitFor()
    await page.goBack()
    await versions.getByText('better than v1').waitFor()
  })
})

test('versions with too few rows cannot be told apart', async () => {
  const { path } = await withComparedVersions('small-prompts', 4)
  await world.visit(async (visit) => {
    await visit.goTo(path)
    await visit.page.getByRole('link', { name: 'not clearly different from v1' }).waitFor()
  })
})

test('versions stay where they are when the word of a comparison arrives', async () => {
  const { path } = await withComparedVersions('placed-prompts', 30)
  await world.visit(async (visit) => {
    const { page } = visit
    const measured = Promise.withResolvers<void>()
    await page.route('**/evaluations/compare', async (route) => {
      await measured.promise
      await route.continue()
    })
    const comparison = page.waitForRequest('**/evaluations/compare')
    await page.goto(visit.address + path)
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await versions.getByText('2 in 24 h').waitFor()
    await comparison
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    const placeOf = async () => (await versions.getByRole('link', { name: 'v0', exact: true }).boundingBox())?.y
    const before = await placeOf()
    measured.resolve()
    await versions.getByRole('link', { name: 'better than v1' }).waitFor()
    expect(await placeOf()).toBe(before)
    await page.unrouteAll({ behavior: 'wait' })
  })
})
