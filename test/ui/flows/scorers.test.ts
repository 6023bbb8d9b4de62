import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { createObject } from '../../conformance/support/evaluation-engine.ts'
import { Project } from '../../conformance/support/project.ts'
import { ok } from '../../conformance/support/queues.ts'
import { Rules } from '../../conformance/support/rules.ts'
import type { ServerProcess } from '../../conformance/support/server-process.ts'
import { until } from '../../conformance/support/until.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { onOwnServer } from '../support/own-server.ts'
import type { Visit } from '../support/visit.ts'

/** A judge that finds the first word good, whatever else it is asked. */
const verdict = ({ messages }: { messages: readonly unknown[] }): string =>
  JSON.stringify({
    reason: 'It names the word.',
    passed: JSON.stringify(messages).includes('w0'),
  })

/** Runs `look` on a server whose model is a judge, with a project of words. */
async function withScorers(
  options: { role?: 'read' | 'admin'; expected?: RegExp[] },
  look: (visit: Visit, of: { project: Project; stub: ReturnType<typeof startStubModel> }) => Promise<void>,
): Promise<void> {
  const stub = startStubModel({ answers: verdict })
  try {
    const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-scorers-test' }
    await onOwnServer({ env, ...options }, async (visit, server) => {
      await look(visit, { project: await seed(server), stub })
    })
  } finally {
    await stub.stop()
  }
}

async function seed({ client }: ServerProcess): Promise<Project> {
  const project = new Project(client, 'acme', 'words')
  const rows = Array.from({ length: 3 }, (_, at) => ({ question: `w${at}`, expected: `You said: w${at}` }))
  await client.post('/v2/acme/words/datasets', { name: 'words', rows })
  await createObject(project, 'exact', 'ExactMatchScorer', {})
  return project
}

interface Stored {
  readonly digest: string
  readonly version_index: number
  readonly val: Record<string, unknown>
}

const readScorer = async ({ client, id }: Project, name: string): Promise<Stored> => {
  const body = { project_id: id, object_id: name, digest: 'latest' }
  return (await client.post<{ obj: Stored }>('/obj/read', body)).json.obj
}

const instructions = (page: Page) => page.getByLabel('Instructions of the judge', { exact: true })

test('a judge is written, tried on a row, saved, evaluated with, compared, deleted and brought back', async () => {
  await withScorers({ expected: [/409/] }, async (visit, { project, stub }) => {
    const { page } = visit
    const { client } = project
    // From the dialog that starts an evaluation, where it is missing.
    await visit.goTo(`/ui/${project.id}/datasets/words`)
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'New scorer' }).click()
    const dialog = page.getByRole('dialog', { name: 'New scorer' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('exact')
    await dialog.getByText('“exact” exists already.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('names_word')
    await dialog.getByRole('button', { name: 'Create' }).click()

    // Nothing is sent before it has a model and whole instructions.
    await page.getByText('No model: write the name of one.').waitFor()
    const run = page.getByRole('button', { name: 'Judge this row' })
    expect(await run.isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Model', exact: true }).fill('gpt-4o')
    await instructions(page).fill('Does {{output}} name {{question}} and {{colour}}? {{')
    await page.getByText('line 1, column 51: “{{” is not closed').first().waitFor()
    await instructions(page).fill('Does {{output}} name {{question}} and {{colour}}?')
    const missing = page.getByRole('region', { name: 'Preview' }).getByRole('alert')
    await missing.waitFor()
    expect(await missing.textContent()).toBe('{{colour}}: no value: a run of this row would fail')
    await instructions(page).fill('Does {{output}} name {{question}}?')
    await page.getByText('Does You said: w0 name w0?').waitFor()

    // What is typed survives a reload, and the row of the preview as well.
    await page.getByRole('button', { name: 'Next row' }).click()
    await page.getByText('Does You said: w1 name w1?').waitFor()
    await visit.settled()
    await page.reload()
    await page.getByText('Does You said: w1 name w1?').waitFor()
    await run.click()
    const result = page.getByRole('region', { name: 'Score' })
    await result.getByText('It names the word.').waitFor()
    expect(await result.getByText('false', { exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Previous row' }).click()
    await page.getByText('The editor has changed since.').waitFor()
    // A row that is still being read cannot be judged.
    await page.getByText('Does You said: w0 name w0?').waitFor()
    await page.getByRole('heading', { name: 'Preview' }).click()
    await page.keyboard.press('Control+Enter')
    await result.getByText('true', { exact: true }).waitFor()
    await result.getByText('$', { exact: false }).waitFor()
    expect((await checkAccessibility(page)).violations).toEqual([])
    const sent = stub.requests.at(-1)?.body
    expect(sent).toMatchObject({
      model: 'gpt-4o',
      temperature: 0,
      messages: [{ role: 'user', content: 'Does You said: w0 name w0?' }],
      response_format: { type: 'json_schema', json_schema: { schema: { required: ['reason', 'passed'] } } },
    })

    // The call of the preview is a trace of its own kind.
    await result.getByRole('link', { name: 'Open the call' }).click()
    await page.waitForURL(/\/trace\//)
    await visit.settled()
    const calls = await project.query({})
    expect(calls.map(({ op_name }) => op_name)).toEqual(['playground.completion', 'playground.completion'])
    expect(calls[0]?.attributes).toMatchObject({ kind: 'playground' })
    await page.goBack()

    await page.getByRole('button', { name: 'Save v0' }).click()
    await page.getByText('names_word v0 saved').waitFor()
    const saved = await readScorer(project, 'names_word')
    expect(saved.val).toMatchObject({
      scoring_prompt: 'Does {{output}} name {{question}}?',
      template_format: 'mustache',
      model: { llm_model_id: 'gpt-4o', default_params: { temperature: 0 } },
    })

    // The evaluation asks the same question of each row.
    await visit.goTo(`/ui/${project.id}/datasets/words`)
    await page.getByRole('button', { name: 'Evaluate' }).click()
    const starting = page.getByRole('dialog', { name: 'Start evaluation' })
    await starting.getByText('model judge with gpt-4o').waitFor()
    await starting.getByRole('combobox', { name: 'Model of candidate 1' }).fill('gpt-4o-mini')
    await starting.getByRole('button', { name: 'Start 1 run over 3 rows' }).click()
    await page.getByText('1 run started', { exact: false }).waitFor()
    const scored = async () => (await project.query({})).filter(({ op_name }) => op_name === 'names_word.score')
    await until(async () => (await scored()).length === 3)
    expect((await scored()).map(({ output }) => (output as { passed: boolean }).passed).toSorted()).toEqual([
      false,
      false,
      true,
    ])

    // Its page says so; another version is compared with the first.
    await visit.goTo(`/ui/${project.id}/scorers`)
    await page.getByRole('link', { name: /names_word Model as judge Asks gpt-4o 1 run/ }).click()
    await page.getByRole('list', { name: 'Used by' }).getByText('words-evaluation').waitFor()
    await page.getByRole('combobox', { name: 'Answers it may give' }).selectOption('One of these words')
    await page.getByRole('textbox', { name: 'Words' }).fill('good\ngood')
    await page.getByText('The word “good” is there twice').first().waitFor()
    expect(await page.getByRole('button', { name: 'Save v1' }).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Words' }).fill('good\nbad')
    await page.getByRole('heading', { name: 'Versions' }).click()
    await page.keyboard.press('d')
    await page.waitForURL(/to=draft/)
    await page.getByText('"verdict"').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+s')
    await page.getByText('names_word v1 saved').waitFor()

    // Somebody else was faster: nothing is lost, and the page says who.
    await page.getByRole('textbox', { name: 'Words' }).fill('good\nbad\nugly')
    const other = { ...saved.val, scoring_prompt: 'Is {{output}} kind?' }
    const obj = { project_id: project.id, object_id: 'names_word', val: other }
    await client.post('/obj/create', { obj })
    await page.getByRole('button', { name: 'Save v2' }).click()
    await page.getByText(/v2 was saved by/).waitFor()
    await page.getByRole('button', { name: 'Show both' }).click()
    await page.getByText('"ugly"').first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Save as v3' }).click()
    await page.getByText('names_word v3 saved').waitFor()
    expect(JSON.stringify((await readScorer(project, 'names_word')).val)).toContain('"ugly"')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('names_word deleted').waitFor()
    await page.getByText('1 scorer', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 scorers', { exact: true }).waitFor()
    expect((await readScorer(project, 'names_word')).version_index).toBe(3)
  })
}, 480_000)

test('a schema says line and column of its fault, and the server what it refuses', async () => {
  await withScorers({ expected: [/422|400/] }, async (visit, { project }) => {
    const { page } = visit
    await visit.goTo(`/ui/${project.id}/scorers`)
    await page.getByText('1 scorer', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Scorers' }).click()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New scorer' })
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('JSON Schema')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('shape')
    await page.keyboard.press('Enter')
    const schema = page.getByRole('textbox', { name: 'JSON Schema' })
    const faults: readonly (readonly [text: string, fault: RegExp])[] = [
      ['', /There is no schema yet/],
      ['{', /line 1, column 2: /],
      ['{"type": "objekt"}', /line 1, column 10: “type” is "objekt"/],
      ['{\n  "required": "a"\n}', /line 2, column 15: “required” is a list of strings/],
      ['{"type": "object", "type": "array"}', /line 1, column 20: the member “type” occurs twice/],
      ['{"properties": {"a": 5}}', /line 1, column 22: a schema is an object, true or false, not 5/],
      ['{"pattern": "("}', /line 1, column 13: “pattern” is "\("/],
      ['[]', /line 1, column 1: a schema is an object, true or false, not \[\]/],
      ['{"minimum": 1e400}', /line 1, column 13: /],
    ]
    for (const [text, fault] of faults) {
      await schema.fill(text)
      await page.getByText(fault).first().waitFor()
      expect(await page.getByRole('button', { name: 'Save v0' }).isDisabled()).toBe(true)
    }
    await schema.fill('{"type": "object", "required": ["amount"]}')
    await page.getByRole('button', { name: 'Save v0' }).click()
    await page.getByText('shape v0 saved').waitFor()
    expect((await readScorer(project, 'shape')).val).toMatchObject({
      json_schema: { type: 'object', required: ['amount'] },
    })

    // What only the server knows is said where it was asked for, and the text stays.
    await visit.goTo(`/ui/${project.id}/scorers?new=1`)
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Regular expression')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('amount')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The pattern is empty').first().waitFor()
    await page.getByRole('textbox', { name: 'Pattern' }).fill('(?=lookahead)')
    await page.getByRole('button', { name: 'Save v0' }).click()
    await page.getByText(/The server refused it: .*not valid RE2/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Pattern' }).inputValue()).toBe('(?=lookahead)')
    await page.getByRole('textbox', { name: 'Pattern' }).fill('\\$\\d+')
    await page.getByRole('button', { name: 'Save v0' }).click()
    await page.getByText('amount v0 saved').waitFor()
    // Discarded changes can be brought back.
    await page.getByRole('textbox', { name: 'Pattern' }).fill('x')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.getByRole('textbox', { name: 'Pattern' }).inputValue()).toBe('x')
  })
}, 240_000)

test('no value is said to be missing while the datasets are still being read', async () => {
  await withScorers({}, async (visit, { project }) => {
    const { page } = visit
    const val = { model: 'gpt-4o', scoring_prompt: 'Does {output} name {question}?' }
    await createObject(project, 'names_word', 'LLMAsAJudgeScorer', val)
    const isRead = Promise.withResolvers<void>()
    await page.route('**/objs/query', async (route) => {
      if (route.request().postData()?.includes('"Dataset"')) await isRead.promise
      await route.continue()
    })
    await page.goto(`${visit.address}/ui/${project.id}/scorers/names_word`)
    await page.getByRole('heading', { name: 'What the judge is sent' }).waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
    expect(await preview.getByRole('alert').count()).toBe(0)
    expect(await preview.getByText('No dataset', { exact: true }).count()).toBe(0)
    isRead.resolve()
    await page.getByText('Does You said: w0 name w0?').waitFor()
  })
}, 240_000)

test('what a provider refuses is shown as it was sent, and can be tried again', async () => {
  await withScorers({}, async (visit, { project }) => {
    const { page } = visit
    await createObject(project, 'strict', 'LLMAsAJudgeScorer', {
      model: 'stub-limited',
      scoring_prompt: 'Is {output} right?',
    })
    await visit.goTo(`/ui/${project.id}/scorers/strict`)
    await page.getByRole('button', { name: 'Judge this row' }).click()
    await page.getByText('The provider answered 429').waitFor()
    await page.getByRole('textbox', { name: 'Output to judge' }).fill('<img src=x onerror=alert(1)>')
    await page.getByText('Is <img src=x onerror=alert(1)> right?').waitFor()
    await page.reload()
    await page.getByText('Is <img src=x onerror=alert(1)> right?').waitFor()
  })
}, 240_000)

test('a key that reads sees scorers, where they are used, and no control that writes', async () => {
  await withScorers({ role: 'read' }, async (visit, { project }) => {
    const { page } = visit
    const ref = await createObject(project, 'kind', 'LLMAsAJudgeScorer', {
      model: 'gpt-4o',
      scoring_prompt: 'Is {output} kind?',
    })
    const rules = new Rules(project)
    await ok(rules.create({ name: 'Judge answers', is_paused: true, action: { kind: 'score', scorer_refs: [ref] } }))
    await visit.goTo(`/ui/${project.id}/scorers`)
    await page.getByText('2 scorers', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'New scorer' }).count()).toBe(0)
    await page.getByRole('link', { name: /kind Model as judge Asks gpt-4o 1 rule/ }).click()
    await page.getByText('read only').waitFor()
    await page.getByRole('list', { name: 'Used by' }).getByText('Judge answers').waitFor()
    await page.getByText('A key that may write can run a preview.').waitFor()
    await page.getByText('Is You said: w0 kind?').waitFor()
    expect(await instructions(page).evaluate((field: HTMLTextAreaElement) => field.readOnly)).toBe(true)
    for (const name of ['Judge this row', 'Discard', /^Save v/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  })
}, 240_000)
