import { expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
await project.add({ id: 'a' })
const far = [2 ** 53, 2 ** 63, 1e30, 1e300]

test.each([
  '/calls/stream_query',
  '/objs/query',
  '/feedback/query',
  '/cost/query',
  '/threads/stream_query',
  '/annotation_queues/query',
])('%s accepts a page beyond all rows', async (path) => {
  for (const number of far) {
    const body = { project_id: project.id, limit: number, offset: number }
    expect([number, (await server.post(path, body)).status]).toEqual([number, 200])
  }
})

test.each(['ops', 'datasets', 'models', 'predictions', 'scores', 'evaluation_runs'])(
  'a list of %s accepts a page beyond all rows',
  async (family) => {
    for (const number of far) {
      const answer = await server.get(project.v2(`${family}?limit=${BigInt(number)}&offset=${BigInt(number)}`))
      expect([number, answer.status, answer.text]).toEqual([number, 200, ''])
    }
  },
)

test('a feedback aggregation accepts times beyond the supported range', async () => {
  for (const before_ms of far) {
    const answer = await server.post('/feedback/aggregate', { project_id: project.id, after_ms: 0, before_ms })
    expect([before_ms, answer.status]).toEqual([before_ms, 200])
  }
})
