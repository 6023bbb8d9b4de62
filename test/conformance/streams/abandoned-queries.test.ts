import { beforeAll, expect, test } from 'bun:test'
import { completeOf } from '../support/call-shapes.ts'
import { basic } from '../support/client.ts'
import { draftOf } from '../support/feedback.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'

const server = await ownServer()
const project = freshProject(server.client)

beforeAll(async () => {
  // Many rows rather than large ones: DuckDB can stop between some thousands of them.
  for (let from = 0; from < 20_000; from += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, i) =>
      completeOf(project.id, { id: `call-${from + i}`, output: `${'x'.repeat(2_000)}${from + i}` }),
    )
    expect((await server.client.post(`/v2/${project.id}/calls/complete`, { batch })).status).toBe(200)
  }
  const batch = Array.from({ length: 2_000 }, (_, i) =>
    draftOf(project, { payload: { text: `${'x'.repeat(2_000)}${i}` } }),
  )
  expect((await server.client.post('/feedback/batch/create', { batch })).status).toBe(200)
})

/**
 * A question that takes longer than the test may: each part of it goes through all that there is.
 */
const questionAbout = (field: string) => ({
  $expr: {
    $or: Array.from({ length: 400 }, (_, i) => ({
      $contains: { input: { $getField: field }, substr: { $literal: `xxxy${i}` } },
    })),
  },
})

const metric = async (name: string): Promise<string | undefined> => {
  const { text } = await server.client.get('/metrics')
  return text.split('\n').find((line) => line.startsWith(name))
}

/** How many requests of an operation the server has answered with 499. */
async function abandoned(operation: string): Promise<number> {
  const line = await metric(`tracelake_requests_total{operation="${operation}",status="499"}`)
  return Number(line?.split(' ').at(-1) ?? 0)
}

const counts = { what: 'a count', path: '/calls/query_stats', operation: 'calls.queryStats', field: 'output' }
const usage = { what: 'usage', path: '/trace/usage', operation: 'usage.ofMatchingCalls', field: 'output' }
const feedback = { what: 'a query', path: '/feedback/query', operation: 'feedback.query', field: 'payload.text' }

// Deno reports a client disconnect only if the request body is small, and this one is not.
test.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] === 'deno').each([
  { ...counts, when: 'while it is planned', afterMs: 0 },
  { ...counts, when: 'in the midst of it', afterMs: 500 },
  { ...usage, when: 'while it is planned', afterMs: 0 },
  { ...feedback, when: 'while it is planned', afterMs: 0 },
])(
  '$what is cancelled when its client disconnects $when',
  async ({ path, operation, field, afterMs }) => {
    const leaving = new AbortController()
    const answer = fetch(server.client.address + path, {
      method: 'POST',
      headers: { authorization: basic('api', server.client.key), 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project.id, query: questionAbout(field) }),
      signal: leaving.signal,
    }).catch((cause: Error) => cause.name)
    await until(async () => (await metric('tracelake_queries_running')) === 'tracelake_queries_running 1')
    await Bun.sleep(afterMs)
    const before = await abandoned(operation)
    leaving.abort()
    expect(await answer).toBe('AbortError')
    await until(async () => (await abandoned(operation)) > before)
  },
  120_000,
)
