import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { v7 as uuid } from 'uuid'
import type { Job, JobRunner, JobState } from '../../src/domains/jobs/job.ts'
import { Jobs } from '../../src/domains/jobs/jobs.ts'
import { Store } from '../../src/engine/store.ts'
import { jobsTable } from '../../src/engine/tables/jobs-table.ts'
import { DomainError } from '../../src/lib/errors.ts'
import { createLog } from '../../src/runtime/log.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'

const log = createLog('silent')
let folder: string
let store: Store
let failures: string[]

const openStore = () =>
  Store.open({ dataFolder: folder, tables: [jobsTable], memoryBytesMax: 256 * 1024 * 1024, clock: systemClock, log })

/** Does the work of a job, and may say that it is paused. */
type Work = (...of: Parameters<JobRunner['run']>) => Promise<unknown>

function jobsOf(kinds: Readonly<Record<string, Work>>): Jobs {
  const jobs = new Jobs({ store, clock: systemClock, log, retryMs: 1 })
  for (const [kind, work] of Object.entries(kinds)) {
    const run: JobRunner['run'] = async (...of) => ((await work(...of)) === 'paused' ? 'paused' : 'done')
    jobs.register(kind, { run, fail: async (_, reason) => void failures.push(reason) })
  }
  return jobs
}

const job = (kind: string, request: unknown = {}) => ({
  id: uuid(),
  projectId: 'acme/bot',
  kind,
  request,
  userId: 'u1',
  userName: 'ann',
})

async function settled(jobs: Jobs, id: string): Promise<Job> {
  for (;;) {
    const found = await jobs.find('acme/bot', id)
    if (found !== undefined && found.state !== 'waiting') return found
    await Bun.sleep(2)
  }
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'jobs-'))
  store = await openStore()
  failures = []
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

test('a job runs with its parameters and requester, and completes', async () => {
  const seen: Job[] = []
  const jobs = jobsOf({ count: async (one) => void seen.push(one) })
  const asked = job('count', { to: 3 })
  await jobs.enqueue(asked)
  expect((await settled(jobs, asked.id)).state).toBe('completed')
  expect(seen).toMatchObject([asked])
  expect(await jobs.find('acme/other', asked.id)).toBeUndefined()
})

test('a job that cannot be announced is not stored', async () => {
  let runs = 0
  const kinds = { count: async () => void runs++ }
  const jobs = jobsOf(kinds)
  const [unseen, seen] = [job('count'), job('count')]
  await expect(jobs.enqueue(unseen, () => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  expect((await jobs.find('acme/bot', unseen.id))?.state).toBe('cancelled')
  await jobs.stop()
  const after = jobsOf(kinds)
  await after.resume()
  await after.enqueue(seen)
  expect((await settled(after, seen.id)).state).toBe('completed')
  expect(runs).toBe(1)
})

test('jobs are dropped by id and project, whether queued or running', async () => {
  const begun: string[] = []
  const jobs = jobsOf({
    wait: (one, signal) => {
      begun.push(one.id)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const all = [job('wait'), job('wait'), job('wait')]
  for (const one of all) await jobs.enqueue(one)
  const ids = all.map(({ id }) => id)
  await jobs.drop('acme/other', ids)
  expect(ids.map((id) => jobs.isUndone('acme/bot', id))).toEqual([true, true, true])
  await jobs.drop('acme/bot', [ids[2]!, ids[0]!, 'unknown'])
  expect(ids.map((id) => jobs.isUndone('acme/bot', id))).toEqual([false, true, false])
  expect(begun).toEqual(ids.slice(0, 2))
  await jobs.stop()
  expect((await jobs.find('acme/bot', ids[1]!))?.state).toBe('waiting')
})

test('a paused job finishes what it has begun, waits across restarts, and goes on when it is accepted', async () => {
  const [running, queued] = [job('steps'), job('steps')]
  const { promise: isUnderWay, resolve: getUnderWay } = Promise.withResolvers<void>()
  const { promise: arePaused, resolve: goOn } = Promise.withResolvers<void>()
  let steps = 0
  const kinds: Parameters<typeof jobsOf>[0] = {
    steps: async (_one, _signal, progressed, wantsPause) => {
      for (let step = 0; step < 20; step++) {
        if (wantsPause()) return 'paused'
        if (step === 1) {
          getUnderWay()
          await arePaused
        }
        steps++
        await progressed()
      }
      return 'done'
    },
    fill: (_one, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  }
  const jobs = jobsOf(kinds)
  await jobs.enqueue(job('fill'))
  await jobs.enqueue(running)
  await jobs.enqueue(queued)
  await isUnderWay
  const stateOf = async (of: Jobs, id: string) => (await of.find('acme/bot', id))?.state
  expect(await jobs.pause('acme/other', running.id)).toBe(false)
  expect(await jobs.pause('acme/bot', running.id)).toBe(true)
  expect(await jobs.pause('acme/bot', running.id)).toBe(true)
  expect(await jobs.pause('acme/bot', queued.id)).toBe(true)
  expect(jobs.isUndone('acme/bot', running.id)).toBe(true)
  goOn()
  while (jobs.isUndone('acme/bot', running.id)) await Bun.sleep(1)
  expect(jobs.isUndone('acme/bot', queued.id)).toBe(false)
  const stepsBefore = steps
  expect(stepsBefore).toBe(2)
  expect([...jobs.pausedIn('acme/bot')].sort()).toEqual([running.id, queued.id].sort())
  await jobs.stop()
  const after = jobsOf(kinds)
  await after.resume()
  expect([...after.pausedIn('acme/bot')].sort()).toEqual([running.id, queued.id].sort())
  expect(await stateOf(after, running.id)).toBe('paused')
  await after.enqueue(running)
  expect((await settled(after, running.id)).state).toBe('completed')
  expect(steps).toBe(stepsBefore + 20)
  expect(await after.cancel('acme/bot', queued.id)).toBe(true)
  expect(await stateOf(after, queued.id)).toBe('cancelled')
  expect(after.pausedIn('acme/bot').size).toBe(0)
  expect(await after.pause('acme/bot', running.id)).toBe(false)
  await after.stop()
})

test.each<[string, () => Error, JobState, number]>([
  ['a transient failure is retried up to five attempts', () => new Error('disk'), 'failed', 5],
  ['a transient rejection is retried too', () => new DomainError('Overloaded', 'later'), 'failed', 5],
  ['a permanent failure is final', () => new DomainError('NotFound', 'no such dataset'), 'failed', 1],
])('%s', async (_, failure, state, attempts) => {
  let runs = 0
  const jobs = jobsOf({
    fail: async () => {
      runs++
      throw failure()
    },
  })
  const asked = job('fail')
  await jobs.enqueue(asked)
  expect(await settled(jobs, asked.id)).toMatchObject({ state, attempts })
  expect(runs).toBe(attempts)
  expect(failures).toEqual([attempts === 1 ? 'no such dataset' : expect.stringContaining('Internal error')])
})

test('a job completes after a transient failure', async () => {
  let runs = 0
  const jobs = jobsOf({
    flaky: async () => {
      if (++runs < 3) throw new Error('not yet')
    },
  })
  const asked = job('flaky')
  await jobs.enqueue(asked)
  expect(await settled(jobs, asked.id)).toMatchObject({ state: 'completed', attempts: 2 })
})

test('jobs interrupted by a stop, and queued ones, are resumed in the same order', async () => {
  const asked = Array.from({ length: 5 }, () => job('slow'))
  const first = jobsOf({
    slow: (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  for (const one of asked) await first.enqueue(one)
  await first.stop()
  await store.close()
  store = await openStore()
  const begun: string[] = []
  const second = jobsOf({ slow: async ({ id }) => void begun.push(id) })
  await second.resume()
  for (const { id } of asked) expect((await settled(second, id)).state).toBe('completed')
  expect(begun).toEqual(asked.map(({ id }) => id))
})

test('a cancelled job is aborted for good; a finished one cannot be cancelled', async () => {
  let broken = false
  const jobs = jobsOf({
    slow: (_, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          broken = true
          reject(signal.reason)
        }),
      ),
  })
  const asked = job('slow')
  await jobs.enqueue(asked)
  expect(await jobs.cancel('acme/other', asked.id)).toBe(false)
  expect(await jobs.cancel('acme/bot', asked.id)).toBe(true)
  expect(broken).toBe(true)
  expect((await jobs.find('acme/bot', asked.id))?.state).toBe('cancelled')
  expect(await jobs.cancel('acme/bot', asked.id)).toBe(false)
})

test('a job that keeps crashing the server is given up, unless it makes progress', async () => {
  const dying = job('hang')
  const working = job('work')
  const first = jobsOf({ hang: async () => {}, work: async () => {} })
  await first.stop()
  await first.enqueue(dying)
  await first.enqueue(working)
  const hangs = () => new Promise<never>(() => {})
  for (let start = 0; start < 12; start++) {
    const jobs = new Jobs({ store, clock: systemClock, log, retryMs: 1 })
    const gotOn = Promise.withResolvers<void>()
    jobs.register('hang', { run: hangs })
    jobs.register('work', {
      run: async (_job, _signal, progressed) => {
        await progressed()
        gotOn.resolve()
        return await hangs()
      },
    })
    await jobs.resume()
    // In-memory state of the process is lost.
    while ((await jobs.find('acme/bot', dying.id))!.attempts <= start && start < 10) await Bun.sleep(2)
    await gotOn.promise
  }
  const jobs = jobsOf({})
  expect(await settled(jobs, dying.id)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('stopped 10 times'),
  })
  expect(await jobs.find('acme/bot', working.id)).toMatchObject({ state: 'waiting', attempts: 0 })
})

test('a stop of the server does not count as an attempt', async () => {
  const asked = job('slow')
  const jobs = jobsOf({
    slow: (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  await jobs.enqueue(asked)
  while ((await jobs.find('acme/bot', asked.id))?.attempts !== 1) await Bun.sleep(2)
  await jobs.stop()
  expect(await jobs.find('acme/bot', asked.id)).toMatchObject({ state: 'waiting', attempts: 0 })
})
