import { expect, test } from 'bun:test'
import { endOf, startOf } from '../support/call-shapes.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
/** Beyond this size, threads parse, check and encode a batch; unknown members are ignored. */
const padding = 'x'.repeat(40_000)

const batchOf = (projectId: string, prefix: string) =>
  Array.from({ length: 20 }, (_, index) => {
    const id = `${prefix}${index}`
    const start = startOf(projectId, { id, trace_id: 't', inputs: { text: `ä${index}`, api_key: 'secret' } })
    return [{ req: { start } }, { req: { end: endOf(projectId, { id, output: { number: 1.0, id } }) } }]
  }).flat()

test('large batches store and answer the same as small ones, also once threads are ready', async () => {
  const [small, large] = [freshProject(server), freshProject(server)]
  for (let round = 0; round < 10; round++) {
    const few = await server.post('/call/upsert_batch', { batch: batchOf(small.id, `r${round}-`) })
    const many = await server.post('/call/upsert_batch', { batch: batchOf(large.id, `r${round}-`), padding })
    expect(many.status).toBe(200)
    expect(many.json).toEqual(few.json)
    expect(many.headers.get('content-type')).toBe(few.headers.get('content-type'))
  }
  const plain = async (project: typeof small) =>
    (await project.query({ sort_by: [{ field: 'id', direction: 'asc' }] })).map(
      ({ project_id: _project, started_at: _started, ended_at: _ended, summary: _summary, ...call }) => call,
    )
  const expected = await plain(small)
  expect(expected).toHaveLength(200)
  expect(await plain(large)).toEqual(expected)
})

test('large batches are refused in the same words as small ones', async () => {
  const project = freshProject(server)
  const good = batchOf(project.id, 'good')
  const faulty: unknown[] = [
    { req: { start: { ...startOf(project.id, {}), op_name: 7 } } },
    { req: { start: startOf(project.id, { id: '' }) } },
    { mode: 'stop', req: { start: startOf(project.id, {}) } },
    { req: { end: { project_id: 'no project', id: 'a' } } },
  ]
  for (const item of faulty) {
    for (let round = 0; round < 3; round++) {
      const few = await server.post('/call/upsert_batch', { batch: [...good, item] })
      const many = await server.post('/call/upsert_batch', { batch: [...good, item], padding })
      expect(few.status).toBeGreaterThanOrEqual(400)
      expect([many.status, many.json]).toEqual([few.status, few.json])
    }
  }
  expect(await project.idsOf()).toEqual([])
})
