import { expect, test } from 'bun:test'
import { LiveListener } from '../support/live.ts'
import { is } from '../support/query-expression.ts'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer({ env: { TRACELAKE_DIALECT: 'weave' } })
const { client } = server

type Line = Record<string, unknown> & { id: string; summary: { weave: Record<string, number> } }

test('pages, sparse rows and previews speak the vendor’s names', async () => {
  const project = freshProject(client)
  const ended = (index: number) => `2024-05-01T10:00:0${index}Z`
  await project.complete(
    ...[1, 2, 3, 4].map((index) => ({ id: `c${index}`, ended_at: ended(index), inputs: { n: index } })),
  )
  const sort_by = [{ field: 'summary.weave.latency_ms', direction: 'desc' }]
  const request = {
    project_id: project.id,
    sort_by,
    limit: 3,
    columns: ['wb_user_id'],
    omit_null: true,
    preview_chars: 5,
  }
  const linesOf = async (more: object) =>
    (await client.post('/calls/stream_query', { ...request, ...more })).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const first = await linesOf({})
  expect(first.map(({ id }) => id)).toEqual(['c4', 'c3', 'c2'])
  expect(first[0]).toMatchObject({ wb_user_id: 'admin', inputs_preview: '4', summary: { weave: { latency_ms: 4000 } } })
  expect(Object.keys(first[0]!).filter((name) => name.startsWith('ext'))).toEqual([])
  const last = first.at(-1)!
  expect((await linesOf({ after: [last.summary.weave['latency_ms'], last.id] })).map(({ id }) => id)).toEqual(['c1'])
})

test('a live tail takes a filter in the vendor’s names', async () => {
  const project = freshProject(client)
  const listener = await LiveListener.connect(project, {
    filter: JSON.stringify({ wb_user_ids: ['admin'] }),
    query: JSON.stringify({ $expr: is('summary.weave.status', '$eq', 'error') }),
    statuses: 'error',
  })
  await project.complete({ id: 'a' }, { id: 'b', exception: 'Boom' })
  expect(await listener.take(1)).toEqual(['end b'])
  await listener.close()
})

test('projects and searches', async () => {
  const project = freshProject(client)
  await project.complete({ id: 'a', inputs: { question: 'where?' } })
  const { json } = await client.post<{ projects: { project_id: string }[] }>('/projects/query', {})
  expect(json.projects.map(({ project_id }) => project_id)).toContain(project.id)
  const query = { $expr: is('summary.weave.status', '$eq', 'success') }
  const search = await client.post<{ matches: { id: string }[] }>('/calls/search', {
    project_id: project.id,
    text: 'WHERE',
    query,
  })
  expect(search.json.matches.map(({ id }) => id)).toEqual(['a'])
})
