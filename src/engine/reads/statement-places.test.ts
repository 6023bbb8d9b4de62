import { expect, test } from 'bun:test'
import { readLimits } from '../../lib/limits/reads.ts'
import { processors } from '../../runtime/platform/processes/threads.ts'
import { StatementPlaces, type StatementTurns, statementTurns } from './statement-places.ts'

test('fewer statements of readers run while writes are behind, and for a second after', () => {
  let nowMs = 0
  let isFlushBehind = false
  const places = new StatementPlaces({ isFlushBehind: () => isFlushBehind, nowMs: () => nowMs })
  const most = places.count
  expect(most).toBeGreaterThan(readLimits.statementsBesideFlush)
  let isIngestBehind = true
  places.isIngestBehind = () => isIngestBehind
  const fewest = Math.max(1, Math.floor(processors() / 2))
  expect(places.count).toBe(fewest)
  isIngestBehind = false
  nowMs = readLimits.yieldToIngestMs - 1
  expect(places.count).toBe(fewest)
  nowMs++
  expect(places.count).toBe(most)
  isFlushBehind = true
  expect(places.count).toBe(Math.max(readLimits.statementsBesideFlush, fewest))
})

/** Statements whose time the test decides. */
class Statements {
  readonly places: { count: number; most: number; readonly nowMs: () => number }
  readonly turns: StatementTurns
  readonly begun: string[] = []
  private nowMs = 0
  private readonly ends = new Map<string, () => void>()
  private readonly all: Promise<void>[] = []

  constructor(places: { count: number; most: number }) {
    this.places = { ...places, nowMs: () => this.nowMs }
    this.turns = statementTurns(this.places)
  }

  /** Lets statements run until they end, each of an owner: the first word of its name. */
  run(kind: keyof StatementTurns, ...names: readonly string[]): void {
    const { lookups, [kind]: turns } = this.turns
    for (const name of names) {
      const owner = name.split(' ')[0]
      const work = () => this.work(name)
      const inTurn = kind === 'scans' ? () => lookups.run(work, undefined, owner) : work
      this.all.push(turns.run(inTurn, undefined, owner))
    }
  }

  private async work(name: string): Promise<void> {
    this.begun.push(name)
    await new Promise<void>((resolve) => this.ends.set(name, resolve))
  }

  end(...names: readonly string[]): void {
    for (const name of names) this.ends.get(name)?.()
  }

  /** What has begun when this much time has passed, and all have noticed. */
  async after(seconds: number): Promise<readonly string[]> {
    this.nowMs += seconds * 1_000
    // Longer than waiting work takes to notice a further place.
    await Bun.sleep(120)
    return this.begun.splice(0)
  }

  async endAll(): Promise<void> {
    const ending = setInterval(() => this.end(...this.ends.keys()), 1)
    await Promise.allSettled(this.all)
    clearInterval(ending)
  }
}

test('a lookup waits a second for a long one, and longer only beside several', async () => {
  const statements = new Statements({ count: 1, most: 6 })
  statements.run('lookups', 'page 1', 'page 2', 'page 3', 'page 4', 'page 5')
  expect(await statements.after(0)).toEqual(['page 1'])
  expect(await statements.after(1)).toEqual([])
  expect(await statements.after(0.1)).toEqual(['page 2'])
  // Two long ones: one does not count after a second, the other after four.
  expect(await statements.after(4)).toEqual([])
  expect(await statements.after(0.1)).toEqual(['page 3'])
  expect(await statements.after(16)).toEqual([])
  // Two of three are still running, for more than four seconds.
  statements.end('page 1')
  expect(await statements.after(0)).toEqual(['page 4'])
  statements.end('page 4')
  expect(await statements.after(0)).toEqual(['page 5'])
  await statements.endAll()
})

test('where there are more places, as many long statements do not count at a time', async () => {
  const statements = new Statements({ count: 2, most: 6 })
  statements.run('lookups', 'a', 'b', 'c', 'd', 'e', 'f')
  expect(await statements.after(0)).toEqual(['a', 'b'])
  expect(await statements.after(1.1)).toEqual(['c', 'd'])
  expect(await statements.after(3.9)).toEqual([])
  expect(await statements.after(0.2)).toEqual(['e', 'f'])
  await statements.endAll()
})

test('projects get places one after the other, and a lookup that is cancelled leaves its turn', async () => {
  const statements = new Statements({ count: 1, most: 6 })
  const stop = new AbortController()
  statements.run('lookups', 'busy 1', 'busy 2', 'busy 3')
  const cancelled = statements.turns.lookups.run(async () => {}, stop.signal, 'other')
  statements.run('lookups', 'other 1', 'third 1')
  expect(await statements.after(0)).toEqual(['busy 1'])
  stop.abort()
  await expect(cancelled).rejects.toMatchObject({ type: 'RequestCancelled' })
  const order: string[] = []
  for (const name of ['busy 1', 'busy 2', 'other 1', 'third 1']) {
    statements.end(name)
    order.push(...(await statements.after(0)))
  }
  expect(order).toEqual(['busy 2', 'other 1', 'third 1', 'busy 3'])
  await statements.endAll()
})

test('a lookup waits a second at most for scans of many files, for which projects take turns', async () => {
  const statements = new Statements({ count: 1, most: 6 })
  statements.run('scans', 'busy scan 1', 'busy scan 2', 'busy scan 3', 'other scan')
  expect(await statements.after(0)).toEqual(['busy scan 1'])
  statements.run('lookups', 'busy page')
  expect(await statements.after(1.1)).toEqual(['busy page'])
  statements.end('busy page')
  statements.run('lookups', 'third page')
  expect(await statements.after(0)).toEqual(['third page'])
  statements.end('third page', 'busy scan 1')
  expect(await statements.after(0)).toEqual(['busy scan 2'])
  // Writes have caught up: two at a time, but one of each project.
  statements.places.count = 6
  expect(await statements.after(0)).toEqual(['other scan'])
  await statements.endAll()
})

test('a lookup does not wait for long pieces of streams, whatever places there are, nor more streams', async () => {
  const statements = new Statements({ count: 4, most: 4 })
  statements.run('streams', 'export 1', 'export 2', 'export 3')
  expect(await statements.after(0)).toEqual(['export 1', 'export 2', 'export 3'])
  // Writes are behind now, with two processors.
  statements.places.count = 1
  statements.run('streams', 'export 4')
  statements.run('lookups', 'page 1', 'page 2')
  expect(await statements.after(1)).toEqual([])
  expect(await statements.after(0.1)).toEqual(['page 1'])
  statements.end('page 1')
  expect(await statements.after(0)).toEqual(['page 2'])
  statements.end('page 2')
  expect(await statements.after(20)).toEqual([])
  statements.end('export 1', 'export 2', 'export 3')
  expect(await statements.after(0)).toEqual(['export 4'])
  await statements.endAll()
})

test('long statements together are never more than the threads allow', async () => {
  const statements = new Statements({ count: 3, most: 3 })
  statements.run('streams', 'export 1', 'export 2')
  statements.run('lookups', 'page 1', 'page 2')
  expect((await statements.after(0)).toSorted()).toEqual(['export 1', 'export 2', 'page 1'])
  expect(await statements.after(1_000)).toEqual([])
  statements.places.count = 1
  expect(await statements.after(1_000)).toEqual([])
  await statements.endAll()
})
