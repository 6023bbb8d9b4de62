import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../../../test/lake/simulated-store.ts'
import { leaseLimits } from '../../lib/limits/objects.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { KeptLease } from './kept-lease.ts'

const log = pino({ level: 'silent' })
const never = new AbortController().signal
let nonces = 0

/** A clock that the test advances step by step, resuming what waits for it. */
class Steps {
  ms = 0
  private waiting: { readonly at: number; readonly resume: (isOver: boolean) => void }[] = []

  surroundings(store: ObjectStore, node: string) {
    const wait = (ms: number, signal?: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        this.waiting.push({ at: this.ms + ms, resume: resolve })
        signal?.addEventListener('abort', () => resolve(false))
      })
    return { store, name: 'lease', node, nowMs: () => this.ms, newNonce: () => String(++nonces), pace: { wait } }
  }

  /** @param isPaused whether the process stays paused: nothing that waits resumes */
  async pass(ms: number, { isPaused = false } = {}): Promise<void> {
    for (const end = this.ms + ms; this.ms < end; ) {
      this.ms = Math.min(end, this.ms + 100)
      if (isPaused) continue
      const due = this.waiting.filter(({ at }) => at <= this.ms)
      this.waiting = this.waiting.filter(({ at }) => at > this.ms)
      for (const { resume } of due) resume(true)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

const held = async (steps: Steps, store: ObjectStore, node = 'a'): Promise<KeptLease> => {
  const acquired = KeptLease.acquire(steps.surroundings(store, node), log, never)
  for (let looks = 0; looks < 100; looks++) {
    const lease = await Promise.race([acquired, steps.pass(100)])
    if (lease !== undefined) return lease
  }
  throw new Error(`${node} does not get the lease`)
}

test('it is renewed until it is given back, and another node has it then', async () => {
  const [steps, store] = [new Steps(), memoryStoreOf(new SimulatedObjects())]
  const lease = await held(steps, store)
  await steps.pass(20_000)
  expect(lease.state).toBe('held')
  await lease.release()
  expect((await held(steps, store, 'b')).state).toBe('held')
})

test('after a pause it is late until a renewal says whether another node has it', async () => {
  const [steps, store] = [new Steps(), memoryStoreOf(new SimulatedObjects())]
  const lease = await held(steps, store)
  await steps.pass(10_000, { isPaused: true })
  expect(lease.state).toBe('late')
  await steps.pass(leaseLimits.renewMs)
  expect(lease.state).toBe('held')
  const other = new Steps()
  await steps.pass(10_000, { isPaused: true })
  const second = await held(other, store, 'b')
  expect([lease.state, second.state]).toEqual(['late', 'held'])
  await steps.pass(leaseLimits.renewMs)
  await lease.lost
  expect([lease.state, second.state]).toEqual(['lost', 'held'])
  await lease.release()
  await other.pass(leaseLimits.renewMs)
  expect(second.state).toBe('held')
})

test('while the store is away it is neither held nor late, and held again afterwards', async () => {
  const objects = new SimulatedObjects()
  let fault: 'none' | 'before' | 'after' = 'none'
  const store = new SimulatedStore(async (operation) => {
    const failed = new ObjectStoreError('unreachable', 'no answer')
    if (fault === 'before') throw failed
    const answer = objects.run(operation)
    if (fault === 'after' && operation.kind === 'put') throw failed
    return answer
  })
  const steps = new Steps()
  const lease = await held(steps, store)
  for (const each of ['before', 'after'] as const) {
    fault = each
    await steps.pass(600_000)
    expect(lease.state).toBe('away')
    fault = 'none'
    await steps.pass(leaseLimits.renewMs)
    expect(lease.state).toBe('held')
  }
})
