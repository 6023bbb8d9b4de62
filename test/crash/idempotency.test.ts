import { expect, test } from 'bun:test'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'

const rounds = 6
const requests = 60
const random = new Random(seedOr(20_261_122))

interface Sent {
  readonly path: string
  readonly body: unknown
  readonly key: string
}

/** Requests without client-side ids, which would create duplicates if repeated. */
function requestsOf({ id }: Project, round: number): Sent[] {
  return Array.from({ length: requests }, (_, n): Sent => {
    const key = `${round}-${n}`
    if (n % 3 === 0) {
      const costs = { [`model-${key}`]: { prompt_token_cost: 1, completion_token_cost: 1 } }
      return { path: '/cost/create', body: { project_id: id, costs }, key }
    }
    if (n % 3 === 1) {
      const started_at = '2026-01-01T00:00:00Z'
      const start = { project_id: id, op_name: key, started_at, attributes: {}, inputs: {} }
      return { path: '/call/start', body: { start }, key }
    }
    const ext_ref = `ext:///${id}/call/a`
    return {
      path: '/feedback/create',
      body: { project_id: id, ext_ref, feedback_type: 'custom', payload: { key } },
      key,
    }
  })
}

test('requests retried after a kill take effect once', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data })
  const project = () => new Project(server.client, 'crash', 'idempotency')
  const send = ({ path, body, key }: Sent) =>
    server.client.post(path, body, { headers: { 'idempotency-key': key } }).catch(() => undefined)
  try {
    for (let round = 1; round <= rounds; round++) {
      const all = requestsOf(project(), round)
      const under = all.map(send)
      await Bun.sleep(random.between(1, 60))
      await server.kill()
      const before = await Promise.all(under)
      server = await startServer({ data, adminKey: server.adminKey })
      const after = await Promise.all(all.map(send))
      for (const [n, answer] of after.entries()) {
        expect(answer?.status).toBe(200)
        // A client that got a response before the kill gets the same one again.
        if (before[n]?.status === 200) expect(answer!.text).toBe(before[n]!.text)
      }
      const { client, id } = project()
      const third = (rest: number) => all.filter((_, n) => n % 3 === rest).length * round
      const costs = await client.post<{ results: unknown[] }>('/cost/query', { project_id: id })
      const feedback = await client.post<{ result: unknown[] }>('/feedback/query', { project_id: id })
      expect((await project().stats()).count).toBe(third(1))
      expect(feedback.json.result).toHaveLength(third(2))
      expect(costs.json.results).toHaveLength(third(0))
    }
  } finally {
    await server.stop()
    await removeFolder(data)
  }
}, 300_000)
