import { expect, test } from 'bun:test'
import { memoryStoreOf, SimulatedObjects } from '../../../test/lake/simulated-store.ts'
import { Random, seedOr } from '../../../test/store/random.ts'
import { leaseLimits } from '../../lib/limits/objects.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { Lease, type LeaseSurroundings } from './lease.ts'

let nonces = 0

/** Nodes in one simulated time; the clock of each runs at a speed, and shows any time. */
class Time {
  ms = 0
  private readonly waiting: { at: number; resume: () => void }[] = []

  surroundings(store: ObjectStore, node: string, { speed = 1, offsetMs = 0 } = {}): LeaseSurroundings {
    return {
      store,
      name: 'lease',
      node,
      nowMs: () => offsetMs + this.ms * speed,
      newNonce: () => String(++nonces),
      pace: { wait: (ms) => this.wait(ms / speed) },
    }
  }

  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ at: this.ms + ms, resume: () => resolve(true) })
    })
  }

  /** Lets time pass, up to a moment, in the order in which something waits. */
  async runUntil(ms: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.waiting.sort((a, b) => a.at - b.at)[0]
      if (next === undefined || next.at > ms) break
      this.waiting.shift()
      this.ms = next.at
      next.resume()
    }
    this.ms = ms
  }
}

const storeOf = () => memoryStoreOf(new SimulatedObjects())
const never = new AbortController().signal

test('the first node has the lease; another waits until it is given back', async () => {
  const [time, store] = [new Time(), storeOf()]
  const first = await Lease.acquire(time.surroundings(store, 'a'), never)
  let second: Lease | undefined
  void Lease.acquire(time.surroundings(store, 'b'), never).then((lease) => {
    second = lease
  })
  for (let at = 1_000; at <= 10_000; at += 1_000) {
    await time.runUntil(at)
    expect(await first?.renew()).toBe(true)
  }
  expect([first?.isHeld, second]).toEqual([true, undefined])
  await first?.release()
  await time.runUntil(10_000 + leaseLimits.lookMs)
  expect([first?.isHeld, second?.isHeld, await first?.renew()]).toEqual([false, true, false])
})

test('a lease that is not renewed ends, for its holder before others take it', async () => {
  const [time, store] = [new Time(), storeOf()]
  const first = await Lease.acquire(time.surroundings(store, 'a'), never)
  let second: Lease | undefined
  void Lease.acquire(time.surroundings(store, 'b', { offsetMs: -1e9 }), never).then((lease) => {
    second = lease
  })
  await time.runUntil(leaseLimits.lastsMs - leaseLimits.marginMs)
  expect([first?.isHeld, second]).toEqual([false, undefined])
  await time.runUntil(leaseLimits.lastsMs + leaseLimits.lookMs)
  expect([second?.isHeld, await first?.renew()]).toEqual([true, false])
})

test('of many nodes that wait, one gets it', async () => {
  const [time, store] = [new Time(), storeOf()]
  const held = await Lease.acquire(time.surroundings(store, 'a'), never)
  const got: string[] = []
  for (const node of ['b', 'c', 'd'])
    void Lease.acquire(time.surroundings(store, node), never).then(() => got.push(node))
  await time.runUntil(100)
  await held?.release()
  await time.runUntil(1_500)
  expect(got).toHaveLength(1)
})

test('waiting ends with its signal', async () => {
  const [time, store] = [new Time(), storeOf()]
  await Lease.acquire(time.surroundings(store, 'a'), never)
  const stop = new AbortController()
  const waiting = Lease.acquire(time.surroundings(store, 'b'), stop.signal)
  await time.runUntil(600)
  stop.abort()
  await time.runUntil(1_200)
  expect(await waiting).toBeUndefined()
})

test('who waits sees that the holder leaves, also in its renewals, and looks often then', async () => {
  const [time, store] = [new Time(), storeOf()]
  const first = await Lease.acquire(time.surroundings(store, 'a'), never)
  const told: string[] = []
  const watch = { onLeaving: (holder: string, leaving: string) => told.push(`${holder} ${leaving}`) }
  let second: Lease | undefined
  void Lease.acquire({ ...time.surroundings(store, 'b'), watch }, never).then((lease) => {
    second = lease
  })
  await time.runUntil(700)
  expect([await first?.announce('soon'), told]).toEqual([true, []])
  await time.runUntil(1_000)
  expect(await first?.renew()).toBe(true)
  await time.runUntil(1_000 + leaseLimits.lookAtLeavingMs)
  expect(await first?.announce('now')).toBe(true)
  await time.runUntil(1_000 + 3 * leaseLimits.lookAtLeavingMs)
  expect([...new Set(told)]).toEqual([`${first?.holder} soon`, `${first?.holder} now`])
  expect([first?.isHeld, second]).toEqual([true, undefined])
  await first?.release()
  await time.runUntil(1_000 + 4 * leaseLimits.lookAtLeavingMs)
  expect([first?.isHeld, second?.isHeld]).toEqual([false, true])
})

test('who waits is told that the holder is late, and takes the lease as soon as it is over', async () => {
  const [time, store] = [new Time(), storeOf()]
  await Lease.acquire(time.surroundings(store, 'a'), never)
  let lateMs: number | undefined
  let takenMs: number | undefined
  await time.runUntil(120)
  const watch = { onLate: () => (lateMs ??= time.ms) }
  void Lease.acquire({ ...time.surroundings(store, 'b'), watch }, never).then(() => {
    takenMs = time.ms
  })
  await time.runUntil(120 + leaseLimits.lastsMs - 1)
  expect([lateMs, takenMs]).toEqual([120 + leaseLimits.lateMs, undefined])
  await time.runUntil(120 + leaseLimits.lastsMs)
  expect(takenMs).toBe(120 + leaseLimits.lastsMs)
})

test('a renewal whose answer is lost is recognised; a lease of a later version is refused', async () => {
  const [time, objects] = [new Time(), new SimulatedObjects()]
  const store = memoryStoreOf(objects)
  let isLost = false
  const losing: ObjectStore = Object.create(store, {
    put: {
      value: async (...words: Parameters<ObjectStore['put']>) => {
        const tag = await store.put(...words)
        if (!isLost) return tag
        isLost = false
        // As when a runtime repeats the request.
        return await store.put(...words)
      },
    },
  })
  const lease = await Lease.acquire(time.surroundings(losing, 'a'), never)
  isLost = true
  expect([await lease?.renew(), isLost, await lease?.renew()]).toEqual([true, false, true])
  await store.put('lease', new TextEncoder().encode('{"format":2}'))
  await expect(Lease.acquire(time.surroundings(store, 'b'), never)).rejects.toBeInstanceOf(ObjectStoreError)
})

test('a lease object with invalid content counts as lost, and no node acquires it', async () => {
  const [time, store] = [new Time(), storeOf()]
  const lease = await Lease.acquire(time.surroundings(store, 'a'), never)
  await store.put('lease', new TextEncoder().encode('{"half'))
  expect(await lease?.renew()).toBe(false)
  await expect(Lease.acquire(time.surroundings(store, 'b'), never)).rejects.toThrow('damaged')
})

test('no two nodes hold it at a time, whatever their clocks show, however long they are paused', async () => {
  const seed = seedOr(1)
  let takeovers = 0
  for (let each = seed; each < seed + 60; each++) {
    const [random, time, store] = [new Random(each), new Time(), storeOf()]
    const holding = new Map<string, Lease>()
    const faults: string[] = []
    const node = async (name: string): Promise<void> => {
      const clock = { speed: 0.95 + random.next() / 10, offsetMs: random.between(-1e9, 1e9) }
      const around = time.surroundings(store, name, clock)
      while (time.ms < 60_000) {
        const lease = await Lease.acquire(around, never)
        if (lease === undefined) return
        takeovers++
        holding.set(name, lease)
        // Holds on until a renewal fails; sometimes it is paused for longer than the lease lasts.
        do {
          const held = [...holding].filter(([, { isHeld }]) => isHeld).map(([other]) => other)
          if (held.length > 1) faults.push(`${held.join(' and ')} hold it at ${time.ms}`)
          await time.wait(random.chance(0.15) ? random.between(2_000, 12_000) : random.between(200, 1_200))
          if (random.chance(0.1)) await lease.announce(random.pick(['soon', 'now'] as const))
          if (random.chance(0.05)) await lease.release()
        } while (await lease.renew())
        holding.delete(name)
      }
    }
    for (const name of ['a', 'b', 'c']) void node(name)
    await time.runUntil(60_000)
    expect([each, faults]).toEqual([each, []])
  }
  expect(takeovers).toBeGreaterThan(300)
})
