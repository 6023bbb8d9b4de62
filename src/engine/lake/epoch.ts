import { memberOf } from '../../lib/present.ts'
import { type ObjectStore, ObjectStoreError, type StoredObject } from '../../runtime/objects/object-store.ts'
import { findObject, putOwn } from '../../runtime/objects/put-own.ts'
import { DamagedLog } from './log-object.ts'

/** Takes the next epoch: afterwards, all earlier writers are outdated. */
export async function claimEpoch(store: ObjectStore, name: string, node: string, nonce: string): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const found = await findObject(store, name)
    const epoch = found === undefined ? 1 : epochOf(name, found) + 1
    const bytes = new TextEncoder().encode(`${JSON.stringify({ format: 1, epoch, node, nonce })}\n`)
    const when = found === undefined ? { ifAbsent: true as const } : { ifMatch: found.tag }
    if ((await putOwn(store, name, bytes, { when })).isOurs) return epoch
  }
  throw new ObjectStoreError('slow', `Cannot take over ${store.place}: ${triesMax} others were first; try again later`)
}

/** The highest epoch that was claimed; 0 before the first. */
export async function readEpoch(store: ObjectStore, name: string): Promise<number> {
  const found = await findObject(store, name)
  return found === undefined ? 0 : epochOf(name, found)
}

const triesMax = 100

function epochOf(name: string, { bytes }: StoredObject): number {
  const record: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const epoch = memberOf(record, 'epoch')
  if (memberOf(record, 'format') !== 1 || typeof epoch !== 'number')
    throw new DamagedLog(`Cannot read ${name}: a later version of tracelake wrote it`)
  return epoch
}
