import { concatBytes } from '../../lib/bytes.ts'
import { objectLimits } from '../../lib/limits/objects.ts'
import { randomHex } from '../platform/crypto.ts'
import { areSameBytes } from '../platform/files/bytes.ts'
import { isObjectError, type ObjectStore, ObjectStoreError, type PutCondition } from './object-store.ts'

/** One thing that a lake needs of its store. */
export interface ProbeResult {
  readonly what: string
  /** What is missing, and what to do; undefined if nothing is. */
  readonly problem: string | undefined
  readonly ms: number
}

const racers = 8
const needsConditions = 'a lake needs a store with conditional writes (If-None-Match and If-Match)'

/** What is wrong with a store; undefined if nothing is. */
export type ProbeStep = (store: ObjectStore) => Promise<string | undefined>

/**
 * Tries what a lake needs of a store, with objects under `probe/` that are removed afterwards. Ends
 * after the first step if the store cannot be written at all.
 *
 * @param log tries the log, which is built on this
 */
export async function* probeStore(store: ObjectStore, log?: ProbeStep): AsyncGenerator<ProbeResult> {
  const folder = `probe/${randomHex(8)}`
  yield* results([
    [writing, () => writeAndRead(store, `${folder}/object`)],
    ...conditionSteps(store, folder),
    ['ranged reads', () => readRange(store, `${folder}/range`)],
    ['listing after a name', () => listAfter(store, `${folder}/list`)],
    ['uploads in parts', () => uploadParts(store, `${folder}/parts`)],
    ...(log === undefined ? [] : [['a log with one writer', () => log(store)] as const]),
    ['deletion', () => removeAll(store, folder)],
  ])
}

/** Probes only conditional writes, which a lake needs most, with few requests. */
export async function* probeConditions(store: ObjectStore): AsyncGenerator<ProbeResult> {
  const folder = `probe/${randomHex(8)}`
  yield* results([...conditionSteps(store, folder), ['deletion', () => removeAll(store, folder)]])
}

/** Nothing else is worth trying if it fails. */
const writing = 'write and read'

type Step = readonly [string, () => Promise<string | undefined>]

const conditionSteps = (store: ObjectStore, folder: string): readonly Step[] => [
  ['one winner of put-if-absent', () => raceIfAbsent(store, `${folder}/absent`)],
  ['one winner of put-if-match', () => raceIfMatch(store, `${folder}/match`)],
]

async function* results(steps: readonly Step[]): AsyncGenerator<ProbeResult> {
  for (const [what, step] of steps) {
    const startedMs = performance.now()
    const problem = await step().catch((cause: unknown) => {
      if (cause instanceof ObjectStoreError) return cause.message
      throw cause
    })
    yield { what, problem, ms: performance.now() - startedMs }
    if (what === writing && problem !== undefined) return
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function writeAndRead(store: ObjectStore, name: string): Promise<string | undefined> {
  const bytes = bytesOf(randomHex(32))
  const tag = await store.put(name, bytes)
  const found = await store.get(name)
  if (!areSameBytes(found.bytes, bytes)) return 'what was read is not what was written'
  if (found.tag !== tag) return 'the tag that was read is not that of the put'
  return (await store.head(name))?.bytes === bytes.length ? undefined : 'the size of an object is wrong'
}

async function raceIfAbsent(store: ObjectStore, name: string): Promise<string | undefined> {
  const problem = await race(store, name, { ifAbsent: true })
  return problem && `${problem}; ${needsConditions}`
}

async function raceIfMatch(store: ObjectStore, name: string): Promise<string | undefined> {
  const tag = await store.put(name, bytesOf(randomHex(16)))
  const problem = await race(store, name, { ifMatch: tag })
  if (problem !== undefined) return `${problem}; ${needsConditions}`
  const isLate = await wins(store, name, bytesOf(randomHex(16)), { ifMatch: tag })
  return isLate ? `a put with an outdated tag succeeded; ${needsConditions}` : undefined
}

async function race(store: ObjectStore, name: string, when: PutCondition): Promise<string | undefined> {
  const contents = Array.from({ length: racers }, () => bytesOf(randomHex(16)))
  const won = await Promise.all(contents.map((bytes) => wins(store, name, bytes, when)))
  const winners = contents.filter((_, index) => won[index])
  if (winners.length > 1) return `${winners.length} of ${racers} writers won`
  const { bytes } = await store.get(name)
  // Without a winner, the answer to the winner may have been lost.
  const [winner = contents.find((each) => areSameBytes(each, bytes))] = winners
  if (winner === undefined) return `none of ${racers} writers won`
  return areSameBytes(winner, bytes) ? undefined : 'a writer that lost has overwritten the winner'
}

async function wins(store: ObjectStore, name: string, bytes: Uint8Array, when: PutCondition): Promise<boolean> {
  try {
    await store.put(name, bytes, { when })
    return true
  } catch (cause) {
    if (isObjectError(cause, 'lost-race')) return false
    throw cause
  }
}

async function readRange(store: ObjectStore, name: string): Promise<string | undefined> {
  const bytes = bytesOf(randomHex(500))
  await store.put(name, bytes)
  const part = await store.get(name, { range: { start: 100, length: 50 } })
  return areSameBytes(part.bytes, bytes.subarray(100, 150)) ? undefined : 'the store returned another range'
}

async function listAfter(store: ObjectStore, prefix: string): Promise<string | undefined> {
  const names = ['1', '2', '3', '4'].map((number) => `${prefix}/${number}`)
  for (const name of names) await store.put(name, bytesOf(name))
  const found: string[] = []
  for await (const { name } of store.list(`${prefix}/`, { after: names[1] })) found.push(name)
  return found.join() === names.slice(2).join()
    ? undefined
    : `the listing has "${found.join(' ')}" instead of the last two`
}

async function uploadParts(store: ObjectStore, name: string): Promise<string | undefined> {
  const pieces = [new Uint8Array(objectLimits.partBytes), bytesOf(randomHex(100))]
  await store.putLarge(name, streamOf(pieces))
  const { bytes } = await store.get(name)
  return areSameBytes(bytes, concatBytes(pieces)) ? undefined : 'what was read is not what was uploaded'
}

async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

async function removeAll(store: ObjectStore, folder: string): Promise<string | undefined> {
  for await (const { name } of store.list(`${folder}/`)) await store.delete(name)
  for await (const { name } of store.list(`${folder}/`)) return `${name} is still listed after its deletion`
  return undefined
}
