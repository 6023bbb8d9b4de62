import { beforeAll, expect, test } from 'bun:test'
import { completeOf } from './call-shapes.ts'
import { basic } from './client.ts'
import { freshProject, ownServer } from './target.ts'

const server = await ownServer()
const project = freshProject(server.client)

beforeAll(async () => {
  // Many rows rather than large ones: DuckDB can stop between some thousands of them.
  for (let from = 0; from < 20_000; from += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, i) =>
      completeOf(project.id, { id: `call-${from + i}`, output: 'x'.repeat(2_000) }),
    )
    expect((await server.client.post(`/v2/${project.id}/calls/complete`, { batch })).status).toBe(200)
  }
})

/** A question that takes seconds: each part of it goes through all that there is. */
const question = {
  $expr: {
    $or: Array.from({ length: 100 }, (_, i) => ({
      $contains: { input: { $getField: 'output' }, substr: { $literal: `xxx${i}` } },
    })),
  },
}

const metric = async (name: string): Promise<string | undefined> => {
  const { text } = await server.client.get('/metrics')
  return text.split('\n').find((line) => line.startsWith(name))
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10)
}

/** Asks, leaves while the question is under way, and waits for its end; whether it was given up. */
async function askAndLeave(): Promise<boolean> {
  const counted = (status: number) => `tracelake_requests_total{operation="calls.queryStats",status="${status}"}`
  const before = await Promise.all([metric(counted(200)), metric(counted(499))])
  const leaving = new AbortController()
  const answer = fetch(`${server.client.address}/calls/query_stats`, {
    method: 'POST',
    headers: { authorization: basic('api', server.client.key), 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project.id, query: question }),
    signal: leaving.signal,
  }).catch((cause: Error) => cause.name)
  await until(async () => (await metric('tracelake_queries_running')) === 'tracelake_queries_running 1')
  leaving.abort()
  expect(await answer).toBe('AbortError')
  let after = before
  await until(async () => {
    after = await Promise.all([metric(counted(200)), metric(counted(499))])
    return after.join() !== before.join()
  })
  return after[1] !== before[1]
}

test('a count is given up when its client leaves', async () => {
  // The runtime does not always tell of a client that leaves.
  let isGivenUp = false
  for (let times = 0; times < 5 && !isGivenUp; times++) isGivenUp = await askAndLeave()
  expect(isGivenUp).toBe(true)
}, 240_000)
