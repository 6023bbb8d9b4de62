import { expect, test } from 'bun:test'
import { WorkerPool } from './worker-pool.ts'

const poolOf = (source: string, failures: unknown[] = []) =>
  new WorkerPool<string, unknown>({
    name: 'intake',
    module: async () => `data:text/javascript,${encodeURIComponent(source)}`,
    threadsMax: 1,
    idleMs: 60_000,
    retryMs: 60_000,
    startWaitMs: 60_000,
    onFailure: (cause) => failures.push(cause),
  })

const echo = `import { parentPort } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message === 'end') process.exit(3)
  if (message === 'wait') return
  parentPort.postMessage(message)
})`

async function ready(pool: WorkerPool<string, unknown>): Promise<WorkerPool<string, unknown>> {
  while (!pool.isAvailable || (await pool.ask('ready?')) === undefined) await Bun.sleep(5)
  return pool
}

test('the first task is for the caller, and further ones wait for the thread that it started', async () => {
  const pool = poolOf(echo)
  expect(pool.isAvailable).toBe(false)
  expect(pool.isAvailable).toBe(true)
  expect(await Promise.all([pool.ask('a'), pool.ask('b')])).toEqual(['a', 'b'])
  await pool.close()
})

test('tasks of a thread that ends are refused, and the next ones are for the caller', async () => {
  const failures: unknown[] = []
  const pool = await ready(poolOf(echo, failures))
  await expect(pool.ask('end')).rejects.toThrow('code 3')
  expect(failures).toHaveLength(1)
  expect(await pool.ask('a')).toBeUndefined()
  await pool.close()
})

test('a pool that closes refuses the tasks of its threads', async () => {
  const failures: unknown[] = []
  const pool = await ready(poolOf(echo, failures))
  const refused = pool.ask('wait').catch(String)
  await pool.close()
  expect(await refused).toContain('closed')
  expect(failures).toEqual([])
})

test('a pool that closes while a thread starts has not failed', async () => {
  const failures: unknown[] = []
  // It never says that it is ready.
  const pool = poolOf('setInterval(() => {}, 1_000)', failures)
  expect(pool.isAvailable).toBe(false)
  await Bun.sleep(0)
  await pool.close()
  await Bun.sleep(0)
  expect(failures).toEqual([])
})

test('a thread that cannot start is reported, and not started again at once', async () => {
  const failures: unknown[] = []
  const pool = poolOf(`throw new Error('no')`, failures)
  while (failures.length === 0) {
    void pool.isAvailable
    await Bun.sleep(5)
  }
  expect(pool.isAvailable).toBe(false)
  expect(await pool.ask('a')).toBeUndefined()
  expect(failures).toHaveLength(1)
  await pool.close()
})

test('a pool knows how long its oldest task has not been answered', async () => {
  const pool = await ready(poolOf(echo))
  expect(pool.longestMs).toBe(0)
  const refused = pool.ask('wait').catch(String)
  await Bun.sleep(20)
  expect(pool.longestMs).toBeGreaterThanOrEqual(15)
  await pool.close()
  await refused
  expect(pool.longestMs).toBe(0)
})
