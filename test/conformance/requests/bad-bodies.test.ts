import { describe, expect, test } from 'bun:test'
import type { Answer } from '../support/client.ts'
import { ProjectObjects } from '../support/objects.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const wide = (members: number) => `{${Array.from({ length: members }, (_, index) => `"${index}":1`).join(',')}}`
const long = 'x'.repeat(129)
const unknown = 'x'.repeat(43)

/** A project with a dataset, a prompt, an evaluation and a call, which nothing below may change. */
async function filled() {
  const project = freshProject(server)
  const objects = new ProjectObjects(server, project.id)
  const { digest: table } = await made<{ digest: string }>(
    server.post('/table/create', { table: { project_id: project.id, rows: [{ n: 1 }] } }),
  )
  const prompt = await objects.create('prompt', { _type: 'MessagesPrompt', messages: [{ role: 'user', content: 'x' }] })
  const dataset = await made<{ digest: string }>(
    server.post(project.v2('datasets'), { name: 'rows', rows: [{ n: 1 }] }),
  )
  const ref = (id: string, digest: string) => `ext:///${project.id}/object/${id}:${digest}`
  const evaluation = await objects.create('evaluation', {
    _type: 'Evaluation',
    _class_name: 'Evaluation',
    _bases: ['Object', 'BaseModel'],
    dataset: ref('rows', dataset.digest),
    scorers: [],
  })
  await project.complete({ id: 'call' })
  return {
    project,
    objects,
    words: {
      P: project.id,
      V2: project.v2(''),
      TABLE: table,
      PROMPT: prompt,
      DATASET: ref('rows', dataset.digest),
      EVALUATION: ref('evaluation', evaluation),
    },
  }
}

async function made<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, json, text } = await asked
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return json
}

/** Everything in a project that such a request might change. */
async function stateOf(project: Project, objects: ProjectObjects): Promise<unknown> {
  const runs = await server.post<{ runs: unknown[] }>('/evaluations/runs/query', { project_id: project.id })
  return {
    versions: (await objects.query({}, { include_tags_and_aliases: true })).map((one) => [
      one.object_id,
      one.digest,
      one.tags,
      one.aliases,
    ]),
    calls: (await project.stats()).count,
    runs: runs.json.runs.length,
  }
}

type Case = readonly [what: string, path: string, body: string, ...words: string[]]

/**
 * `V2/` in a path is that of the project, and `$P`, `$TABLE` … are what it holds. POST, unless the
 * path says PUT.
 */
const create = (val: string, name = 'thing') =>
  `{"obj":{"project_id":"$P","object_id":${JSON.stringify(name)},"val":${val}}}`
const table = (rows: string) => `{"table":{"project_id":"$P","rows":${rows}}}`
const update = (updates: string, base = '$TABLE') => `{"project_id":"$P","base_digest":"${base}","updates":${updates}}`
const dataset = (rows: string, name = 'thing') => `{"name":${JSON.stringify(name)},"rows":${rows}}`
const evaluate = (evaluation: string, model: string, more = '') =>
  `{"project_id":"$P","evaluation_ref":"${evaluation}","model_ref":"${model}"${more}}`

const cases: readonly Case[] = [
  ['an object of depth 201', '/obj/create', create(deep(201)), 'nested deeper'],
  ['an object of depth 100,000', '/obj/create', create(deep(100_000)), 'nested deeper'],
  ['an object with NaN', '/obj/create', create('{"n":NaN}'), 'JSON'],
  ['an object that ends early', '/obj/create', create('{"n":'), 'JSON'],
  ['an object without content', '/obj/create', '{"obj":{"project_id":"$P","object_id":"thing"}}', 'val'],
  ['an object without a project', '/obj/create', '{"obj":{"object_id":"thing","val":1}}', 'project_id'],
  ['an object whose name is a number', '/obj/create', '{"obj":{"project_id":"$P","object_id":1,"val":1}}', 'object_id'],
  ['an object whose name is empty', '/obj/create', create('1', ''), 'name'],
  ['an object whose name has 129 characters', '/obj/create', create('1', long), '128'],
  ['an object whose name has a slash', '/obj/create', create('1', 'a/b'), 'a/b'],
  ['an object whose name has a line break', '/obj/create', create('1', 'a\nb'), 'name'],
  ['an object whose name has a NUL', '/obj/create', create('1', 'a\0b'), 'name'],
  ['an object whose name is HTML', '/obj/create', create('1', '<b>x</b>'), '<b>'],
  ['an object whose name is an emoji', '/obj/create', create('1', '😀'), 'name'],
  [
    'an object of an unknown built-in class',
    '/obj/create',
    create('1').replace('"val"', '"builtin_object_class":"Nope","val"'),
    'Nope',
  ],
  [
    'a scorer without its prompt',
    '/obj/create',
    create('{"model":"x"}').replace('"val"', '"builtin_object_class":"LLMAsAJudgeScorer","val"'),
    'scoring_prompt',
  ],
  [
    'a digest that does not fit',
    '/obj/create',
    create('1').replace('"val"', '"expected_digest":"nope","val"'),
    'digest',
  ],
  [
    'a version that started from another',
    '/obj/create',
    create('{"a":2}', 'prompt').replace('"val"', '"expected_latest_digest":"nope","val"'),
    'changed',
  ],
  ['an array as the body', '/obj/create', '[]', 'object'],
  ['a text as the body', '/obj/create', '"x"', 'object'],
  ['an empty body', '/obj/create', ''],
  ['a table with rows that are no list', '/table/create', table('{"a":1}'), 'rows'],
  ['a table with a row that is a number', '/table/create', table('[{"a":1},2]'), 'rows', '1'],
  ['a table with a row that is a list', '/table/create', table('[{"a":1},[]]'), 'rows', '1'],
  ['a table with a row that is null', '/table/create', table('[null]'), 'rows', '0'],
  ['a table of depth 201', '/table/create', table(`[{"a":${deep(201)}}]`), 'nested deeper'],
  ['a change of a table that is not there', '/table/update', update('[{"append":{"row":{"a":1}}}]', unknown), 'table'],
  ['a change that is no change', '/table/update', update('[{"replace":{"row":{"a":1}}}]'), 'updates'],
  ['a row removed beyond the end', '/table/update', update('[{"pop":{"index":1}}]'), 'index'],
  ['a row inserted beyond the end', '/table/update', update('[{"insert":{"index":3,"row":{"a":1}}}]'), 'index'],
  ['a row removed at a negative place', '/table/update', update('[{"pop":{"index":-1}}]'), 'index'],
  [
    'a good change before a bad one',
    '/table/update',
    update('[{"append":{"row":{"a":1}}},{"pop":{"index":9}}]'),
    'index',
  ],
  ['a changed row that is a text', '/table/update', update('[{"append":{"row":"x"}}]'), 'row'],
  ['rows that are not there', '/table/create_from_digests', `{"project_id":"$P","row_digests":["${unknown}"]}`, 'row'],
  ['a dataset without rows', 'V2/datasets', '{"name":"thing"}', 'rows'],
  ['a dataset with a row that is a text', 'V2/datasets', dataset('[{"a":1},"x"]'), 'rows', '1'],
  ['a dataset of a name with 129 characters', 'V2/datasets', dataset('[]', long), '128'],
  ['a dataset of a name in HTML', 'V2/datasets', dataset('[]', '<img src=x>'), 'name'],
  ['a model without source code', 'V2/models', '{"name":"thing"}', 'source_code'],
  ['an evaluation without a dataset', 'V2/evaluations', '{"name":"thing"}', 'dataset'],
  [
    'an evaluation whose scorers are a text',
    'V2/evaluations',
    '{"name":"thing","dataset":"$DATASET","scorers":"x"}',
    'scorers',
  ],
  [
    'an evaluation of minus one trials',
    'V2/evaluations',
    '{"name":"thing","dataset":"$DATASET","trials":-1}',
    'trials',
  ],
  ['an evaluation of half a trial', 'V2/evaluations', '{"name":"thing","dataset":"$DATASET","trials":0.5}', 'trials'],
  ['an evaluation run without a model', 'V2/evaluation_runs', '{"evaluation":"$EVALUATION"}', 'model'],
  [
    'a start without a model',
    '/evaluations/evaluate_model',
    '{"project_id":"$P","evaluation_ref":"$EVALUATION"}',
    'model_ref',
  ],
  ['a start of what is no ref', '/evaluations/evaluate_model', evaluate('nope', 'nope'), 'nope'],
  [
    'a start of a model that is not there',
    '/evaluations/evaluate_model',
    evaluate('$EVALUATION', `ext:///$P/object/m:${unknown}`),
    'm:',
  ],
  [
    'a start with no rows at a time',
    '/evaluations/evaluate_model',
    evaluate('$EVALUATION', '$DATASET', ',"parallel":0'),
    'parallel',
  ],
  [
    'a start with 1,000,000 rows at a time',
    '/evaluations/evaluate_model',
    evaluate('$EVALUATION', '$DATASET', ',"parallel":1000000'),
    'parallel',
  ],
  [
    'a start with a limit of 0 USD',
    '/evaluations/evaluate_model',
    evaluate('$EVALUATION', '$DATASET', ',"cost_limit":0'),
    'cost_limit',
  ],
  [
    'a start with a limit of 1e400 USD',
    '/evaluations/evaluate_model',
    evaluate('$EVALUATION', '$DATASET', ',"cost_limit":1e400'),
    'cost_limit',
  ],
  ['a run that is not there, resumed', '/evaluations/resume', '{"project_id":"$P","call_id":"nope"}', 'nope'],
  ['a run that is not there, cancelled', '/evaluations/cancel', '{"project_id":"$P","call_id":"nope"}', 'nope'],
  [
    'a run that is not there, scored again',
    '/evaluations/rescore',
    '{"project_id":"$P","source_evaluation_run_id":"nope","scorer_refs":["$DATASET"]}',
    'nope',
  ],
  [
    'scoring again without scorers',
    '/evaluations/rescore',
    '{"project_id":"$P","source_evaluation_run_id":"call","scorer_refs":[]}',
    'scorer_refs',
  ],
  [
    'a comparison of one run',
    '/evaluations/compare',
    '{"project_id":"$P","evaluation_call_ids":["call"]}',
    'evaluation_call_ids',
  ],
  [
    'a diff of a dataset that is not there',
    '/datasets/diff',
    '{"project_id":"$P","object_id":"nope","from_digest":"v0","to_digest":"v1"}',
    'nope',
  ],
  [
    'a diff with a negative offset',
    '/datasets/diff',
    '{"project_id":"$P","object_id":"rows","from_digest":"v0","to_digest":"v0","offset":-1}',
    'offset',
  ],
  [
    'an alias with a colon',
    '/objs/prompt/aliases PUT',
    '{"project_id":"$P","digest":"$PROMPT","aliases":["a:b"]}',
    'a:b',
  ],
  [
    'an alias like the number of a version',
    '/objs/prompt/aliases PUT',
    '{"project_id":"$P","digest":"$PROMPT","aliases":["v3"]}',
    'v3',
  ],
  [
    'the alias of the latest version',
    '/objs/prompt/aliases PUT',
    '{"project_id":"$P","digest":"$PROMPT","aliases":["latest"]}',
    'latest',
  ],
  [
    'an alias of 129 characters',
    '/objs/prompt/aliases PUT',
    `{"project_id":"$P","digest":"$PROMPT","aliases":["${long}"]}`,
    'alias',
  ],
  [
    'an alias of a version that is not there',
    '/objs/prompt/aliases PUT',
    `{"project_id":"$P","digest":"${unknown}","aliases":["a"]}`,
    'prompt',
  ],
  ['a tag in HTML', '/objs/prompt/versions/$PROMPT/tags PUT', '{"project_id":"$P","tags":["<b>"]}', 'tag'],
  ['tags that are no list', '/objs/prompt/versions/$PROMPT/tags PUT', '{"project_id":"$P","tags":"x"}', 'tags'],
  [
    'an export as a spreadsheet',
    '/datasets/export',
    '{"project_id":"$P","object_id":"rows","digest":"v0","format":"xlsx"}',
    'format',
  ],
]

describe('a body is refused in words, and nothing changes:', () => {
  test.each([...cases])('%s', async (_what, path, body, ...words) => {
    const { project, objects, words: known } = await filled()
    const fill = (text: string) =>
      text.replace(/\$(P|TABLE|PROMPT|DATASET|EVALUATION)(?![A-Z])/g, (_, word: keyof typeof known) => known[word])
    const before = await stateOf(project, objects)
    const [place = '', method = 'POST'] = fill(path).replace('V2/', known.V2).split(' ')
    const headers = { 'content-type': 'application/json' }
    const answer = await server.send<{ reason?: string; detail?: unknown }>(method, place, fill(body), { headers })
    expect(`${answer.status} ${answer.text.slice(0, 500)}`).toMatch(/^(?:400|404|409|413|422) /)
    const told = answer.json.reason ?? JSON.stringify(answer.json.detail)
    for (const word of words) expect(told).toContain(word)
    expect(await stateOf(project, objects)).toEqual(before)
  })
})

/** What is odd and still good: it is stored and given back to the letter. */
const kept: readonly (readonly [what: string, name: string, val: string])[] = [
  ['a name of 128 characters', 'x'.repeat(128), '{"a":1}'],
  ['a name from the right', 'שלום', '{"a":"שלום"}'],
  ['depth 150', 'thing', deep(150)],
  ['10,000 members', 'thing', wide(10_000)],
  ['2^63 and 23 digits', 'thing', '{"a":9223372036854775808,"b":12345678901234567890123}'],
  ['1e400', 'thing', '{"a":1e400,"b":[-1e400]}'],
  ['HTML in names and values', 'thing', '{"<script>x</script>":"<img src=x onerror=y>"}'],
  ['emoji and directions of writing', 'thing', '{"😀":"\u202eabc\u202c"}'],
  ['a NUL', 'thing', '{"a":"x\\u0000y"}'],
]

test.each([...kept])('%s is kept to the letter', async (_what, name, val) => {
  const objects = new ProjectObjects(server)
  const digest = await objects.createText(name, val)
  expect((await objects.askRead(name, digest)).text).toContain(`"val":${val}`)
})
