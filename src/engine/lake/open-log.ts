import { forEachConcurrent } from '../../lib/concurrency.ts'
import { logLimits } from '../../lib/limits/objects.ts'
import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { findObject, putOwn } from '../../runtime/objects/put-own.ts'
import { claimEpoch, readEpoch } from './epoch.ts'
import { Fenced } from './fenced-log.ts'
import { decodeLogObject, encodeLogObject, logName, numberOfName } from './log-object.ts'
import { type LogSurroundings, ObjectLog, type PreparedLog } from './object-log.ts'

/**
 * Opens a log for writing: claims the next epoch, and closes the log of the writer before by a
 * fence under the number that it would write next. See docs/decisions/276-a-log-of-objects.md.
 *
 * @param node named in the epoch, for those who look into the bucket
 * @throws Fenced if another writer takes over meanwhile; ObjectStoreError, DamagedLog
 */
export async function openLog(around: LogSurroundings & { readonly node: string }): Promise<ObjectLog> {
  const { store, folder } = around
  const epochName = `${folder}-epoch`
  // What is listed may be outdated in any case: see below. So may the border above which it is.
  const border = around.prepared?.border ?? around.readBorder()
  const listing = lastNumber(around, border)
  const [epoch, listed] = await both(claimEpoch(store, epochName, around.node, around.newNonce()), listing)
  for (let last = listed; ; last = await lastNumber(around, around.readBorder())) {
    const fence = await putFence(around, epoch, last)
    // Rule 2: what was listed may be outdated since. A later writer may have stored and removed
    // numbers before the fence was written, which is then among numbers that were used already.
    const [newest, border] = await both(readEpoch(store, epochName), around.readBorder())
    if (newest !== epoch) throw new Fenced(`Epoch ${epoch} was replaced by epoch ${newest} while it was being opened`)
    if (border < fence) return new ObjectLog({ around, epoch, fence, border })
  }
}

/** The results of work that goes on at the same time; nothing of it goes on once one has failed. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

/** @returns the number of the fence: the first free one after `last` */
async function putFence(around: LogSurroundings, epoch: number, last: number): Promise<number> {
  const { store, folder } = around
  const nonce = around.newNonce()
  for (let number = last + 1; ; number++) {
    const name = logName(folder, number)
    const bytes = encodeLogObject({ kind: 'fence', epoch, number, nonce, entries: [] })
    const outcome = await putOwn(store, name, bytes, { when: { ifAbsent: true } })
    if (outcome.isOurs) return number
    const found = outcome.found && decodeLogObject(name, outcome.found.bytes)
    if (found !== undefined && found.epoch > epoch)
      throw new Fenced(`Epoch ${epoch} was replaced by epoch ${found.epoch} while it was being opened`)
  }
}

/** The highest number in the store above a border, or the border if there is none. */
async function lastNumber({ store, folder }: LogSurroundings, border: number | Promise<number>): Promise<number> {
  let last = await border
  for await (const { name } of store.list(`${folder}/`, { after: logName(folder, last) })) last = numberOfName(name)
  return last
}

/**
 * Reads what a log has above a border, for a node that may take over soon. All of it may be
 * outdated by then, but not wrong: a number is never used twice.
 */
export async function prepareLog(store: ObjectStore, folder: string, border: number): Promise<PreparedLog> {
  const objects = new Map<number, Uint8Array>()
  const names: string[] = []
  let bytes = 0
  for await (const listed of store.list(`${folder}/`, { after: logName(folder, border) })) {
    bytes += listed.bytes
    if (bytes <= logLimits.preparedBytesMax) names.push(listed.name)
  }
  await forEachConcurrent(names, logLimits.readAhead, async (name) => {
    const found = await findObject(store, name)
    if (found !== undefined) objects.set(numberOfName(name), found.bytes)
  })
  return { border, objects }
}
