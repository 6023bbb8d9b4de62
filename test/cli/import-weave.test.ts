import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServerProcess, startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { CommandChild } from './command.ts'

let from: ServerProcess
let to: ServerProcess
let folder: string

beforeAll(async () => {
  from = await startServer({ env: { TRACELAKE_DIALECT: 'weave' } })
  to = await startServer()
  folder = await makeTempFolder()
})

afterAll(async () => {
  await from.stop()
  await to.stop()
  await removeFolder(folder)
})

const project = 'acme/old'
const refOf = (rest: string) => `weave:///${project}/${rest}`

async function json(server: ServerProcess, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await server.client.post(path, body)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json as Record<string, unknown>
}

async function imported(target: string) {
  const words = ['import', 'weave', from.client.address, '--source-key', from.adminKey, '--select', project]
  const into = ['--project', target, '--to', to.client.address, '--key', to.adminKey]
  const child = new CommandChild([...words, ...into], { XDG_STATE_HOME: join(folder, 'state') })
  return await child.ended()
}

/** A dataset, a prompt with a file, calls that refer to both, feedback and a price. */
async function fillSource(): Promise<{ file: string; dataset: string; table: string }> {
  const form = new FormData()
  form.set('project_id', project)
  form.set('file', new Blob(['def answer(): ...']), 'obj.py')
  const uploaded = await fetch(`${from.client.address}/file/create`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Basic ${btoa(`api:${from.adminKey}`)}` },
  })
  const { digest: file } = (await uploaded.json()) as { digest: string }
  const rows = Array.from({ length: 1_500 }, (_, row) => ({ question: `Question ${row}` }))
  const table = (await json(from, '/table/create', { table: { project_id: project, rows } }))['digest'] as string
  const op = { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': file } }
  const opDigest = (await json(from, '/obj/create', { obj: { project_id: project, object_id: 'answer', val: op } }))[
    'digest'
  ]
  const val = { _type: 'Dataset', name: 'questions', rows: refOf(`table/${table}`) }
  const obj = { project_id: project, object_id: 'questions', val }
  const dataset = (await json(from, '/obj/create', { obj }))['digest'] as string
  const labels = { project_id: project, tags: ['golden', 'first try'] }
  await from.client.put(`/objs/questions/versions/${dataset}/tags`, labels)
  await from.client.put('/objs/questions/aliases', { project_id: project, digest: dataset, aliases: ['production'] })
  const parent = { _type: 'Evaluation', dataset: refOf(`object/questions:${dataset}`) }
  await json(from, '/obj/create', { obj: { project_id: project, object_id: 'evaluation', val: parent } })
  const batch = Array.from({ length: 1_200 }, (_, index) => [
    {
      mode: 'start',
      req: {
        start: {
          project_id: project,
          id: `call-${index}`,
          trace_id: `trace-${index % 100}`,
          op_name: refOf(`op/answer:${opDigest}`),
          // Many calls start in the same second, which pages have to cope with.
          started_at: 1_770_000_000 + Math.floor(index / 700),
          attributes: { tag: 'a' },
          inputs: { row: refOf(`object/questions:${dataset}/attr/rows/id/0`), number: index },
        },
      },
    },
    ...(index === 1_199
      ? []
      : [
          {
            mode: 'end',
            req: {
              end: {
                project_id: project,
                id: `call-${index}`,
                ended_at: 1_770_000_100,
                output: { index },
                summary: { usage: { 'gpt-4o': { prompt_tokens: 3, completion_tokens: 1 } } },
              },
            },
          },
        ]),
  ]).flat()
  await json(from, '/call/upsert_batch', { batch })
  await json(from, '/feedback/create', {
    project_id: project,
    weave_ref: refOf('call/call-0'),
    feedback_type: 'wandb.reaction.1',
    payload: { emoji: '👍' },
  })
  const prices = { 'my-model': { prompt_token_cost: 0.001, completion_token_cost: 0.002 } }
  await json(from, '/cost/create', { project_id: project, costs: prices })
  return { file, dataset, table }
}

test('a project is copied under another name, with its refs, and a second run adds nothing', async () => {
  const { file, table } = await fillSource()
  for (const before of [0, 1_200]) {
    const { out, err, code } = await imported('new co/new')
    expect(err).not.toContain('error')
    expect(out).toContain(`${before.toLocaleString('en-US')} before, 1,200 after`)
    expect(out).toMatch(/calls +1,200 +1,200 +0 +1,200/)
    expect(out).toMatch(/object versions +3 +3 +0/)
    expect(out).toMatch(/tables +1 +1 +0/)
    expect(out).toMatch(/files +1 +1 +0/)
    expect(out).toMatch(/feedback +1 +1 +0 +1/)
    expect(code).toBe(0)
  }
  const asked = { project_id: 'new co/new', include_tags_and_aliases: true }
  const objects = (await json(to, '/objs/query', asked))['objs'] as {
    object_id: string
    digest: string
    val: Record<string, unknown>
  }[]
  const named = (name: string) => objects.find(({ object_id }) => object_id === name)!
  expect(objects).toHaveLength(3)
  expect(named('questions')).toMatchObject({ tags: ['first try', 'golden'], aliases: ['latest', 'production'] })
  // Rows without refs have the same digest everywhere.
  expect(named('questions').val['rows']).toBe(`weave:///new%20co/new/table/${table}`)
  expect(named('evaluation').val['dataset']).toBe(`weave:///new%20co/new/object/questions:${named('questions').digest}`)
  const rows = await json(to, '/table/query', { project_id: 'new co/new', digest: table })
  expect((rows['rows'] as unknown[]).length).toBe(1_500)
  const content = await to.client.post('/file/content', { project_id: 'new co/new', digest: file })
  expect(content.text).toBe('def answer(): ...')
  const ids = ['call-0', 'call-1199']
  const { calls } = await json(to, '/calls/query', {
    project_id: 'new co/new',
    filter: { call_ids: ids },
    include_feedback: true,
  })
  const [first, last] = calls as Record<string, Record<string, unknown>>[]
  expect(first).toMatchObject({
    id: 'call-0',
    output: { index: 0 },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 3 } } },
  })
  expect(first!['inputs']!['row']).toContain(
    `new%20co/new/object/questions:${named('questions').digest}/attr/rows/id/0`,
  )
  expect(first!['attributes']).toMatchObject({ tag: 'a', import: { source: 'weave', file: project } })
  expect(first!['summary']!['ext']).toHaveProperty('feedback.0.payload.emoji', '👍')
  expect(last!['ended_at']).toBeNull()
  const prices = await json(to, '/cost/query', { project_id: 'new co/new' })
  expect((prices['results'] as unknown[]).length).toBe(1)
})
