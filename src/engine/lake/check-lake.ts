import { memberOf } from '../../lib/present.ts'
import {
  type ObjectErrorKind,
  type ObjectStore,
  ObjectStoreError,
  type StoredObject,
} from '../../runtime/objects/object-store.ts'
import { probeConditions } from '../../runtime/objects/probe-store.ts'
import { findObject, putOwn } from '../../runtime/objects/put-own.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import type { LakeIdentity } from '../folder/cache-marker.ts'
import { assertReadable, currentFormat, type FolderFormat, folderFormat, formatOf } from '../folder/folder-format.ts'
import { DataFolderError } from '../layout.ts'

const identityName = 'lake.json'
const formatName = 'format.json'

/**
 * Refuses a store that cannot hold a lake, or has other content. Leaves nothing in it, except for
 * the identity of a new lake.
 *
 * @throws DataFolderError if somebody has to do something; ObjectStoreError if the store does not
 *   answer
 */
export const checkLake = (store: ObjectStore): Promise<LakeIdentity> =>
  withLastingFailures(async () => {
    const found = (await findObject(store, identityName)) ?? (await findNewLake(store))
    await findReadableFormat(store)
    await tryWrite(store)
    await requireConditions(store)
    return { place: store.place, id: await identityOf(store, found?.bytes) }
  })

/**
 * Refuses a store that is no lake, for commands that change one.
 *
 * @throws as `checkLake`
 */
export const requireLake = (store: ObjectStore): Promise<LakeIdentity> =>
  withLastingFailures(async () => {
    const found = await findObject(store, identityName)
    if (found === undefined) throw noLake(store)
    await findReadableFormat(store)
    return { place: store.place, id: idOf(store, found.bytes) }
  })

/**
 * The format of a lake, or of a copy of a data folder; undefined if none is recorded yet.
 *
 * @throws as `checkLake`
 */
export async function findLakeFormat(store: ObjectStore): Promise<FolderFormat | undefined> {
  await requireReadableLake(store)
  return await withLastingFailures(() => findReadableFormat(store))
}

/**
 * The same for commands that only read, which also read a complete copy of a data folder.
 *
 * @throws as `checkLake`
 */
export const requireReadableLake = (store: ObjectStore): Promise<LakeIdentity> =>
  withLastingFailures(async () => {
    if ((await findObject(store, identityName)) !== undefined) return await requireLake(store)
    const copied = await findCopy(store)
    if (copied === undefined) throw noLake(store)
    await findReadableFormat(store)
    return { place: store.place, id: `copy ${JSON.stringify(memberOf(copied, 'tables'))}` }
  })

const noLake = ({ place }: ObjectStore): DataFolderError =>
  new DataFolderError(
    `There is no lake in ${place}: it has no ${identityName}; check the address, or start a server with --lake`,
  )

async function withLastingFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof ObjectStoreError && lasting.has(cause.kind))
      throw new DataFolderError(cause.message, { cause })
    throw cause
  }
}

/** Notes the format of this version, once no node of an earlier one writes any more. */
export async function recordLakeFormat(store: ObjectStore): Promise<void> {
  const found = await findReadableFormat(store)
  if (found?.format !== folderFormat) await store.put(formatName, new TextEncoder().encode(currentFormat()))
}

/** So that an error of all writes is not reported as one of conditional writes. */
async function tryWrite(store: ObjectStore): Promise<void> {
  const name = `probe/${randomHex(8)}`
  await store.put(name, new TextEncoder().encode(name))
  await store.delete(name)
}

async function requireConditions(store: ObjectStore): Promise<void> {
  const problems: string[] = []
  // Do not stop at a problem: the last step removes what the others have written.
  for await (const { what, problem } of probeConditions(store))
    if (problem !== undefined) problems.push(`${what}: ${problem}`)
  const [first] = problems
  if (first !== undefined) throw new DataFolderError(`Cannot keep data in ${store.place}: it lacks ${first}`)
}

const lasting: ReadonlySet<ObjectErrorKind> = new Set([
  'refused',
  'no-bucket',
  'wrong-region',
  'wrong-clock',
  'unsupported',
])

async function findReadableFormat(store: ObjectStore): Promise<FolderFormat | undefined> {
  const found = await findObject(store, formatName)
  if (found === undefined) return undefined
  const format = formatOf(store.place, new TextDecoder().decode(found.bytes))
  assertReadable(store.place, format)
  return format
}

/**
 * A prefix without a lake must be empty, or have a complete copy of a data folder.
 *
 * @returns the identity of a lake that another node has begun there in the meantime
 */
async function findNewLake(store: ObjectStore): Promise<StoredObject | undefined> {
  if ((await findCopy(store)) !== undefined) return undefined
  for await (const { name } of store.list('')) {
    if (name.startsWith('probe/')) continue
    const begun = await findObject(store, identityName)
    if (begun !== undefined) return begun
    throw new DataFolderError(
      `Cannot keep data in ${store.place}: it has something else ("${name}"); choose an empty bucket or prefix`,
    )
  }
  return undefined
}

/** The marker of a complete copy of a data folder. */
async function findCopy(store: ObjectStore): Promise<unknown> {
  const copied = await findObject(store, 'copy.json')
  if (copied === undefined) return undefined
  const marker: unknown = JSON.parse(new TextDecoder().decode(copied.bytes))
  if (memberOf(marker, 'is_complete') === true) return marker
  throw new DataFolderError(`Cannot open ${store.place}: a copy into it is incomplete; run "tracelake copy" again`)
}

async function identityOf(store: ObjectStore, found: Uint8Array | undefined): Promise<string> {
  if (found !== undefined) return idOf(store, found)
  const id = randomHex(16)
  const bytes = new TextEncoder().encode(`${JSON.stringify({ format: 1, id })}\n`)
  const outcome = await putOwn(store, identityName, bytes, { when: { ifAbsent: true } })
  if (outcome.isOurs) return id
  if (outcome.found === undefined) throw new DataFolderError(`Cannot open ${store.place}: somebody is removing it`)
  return idOf(store, outcome.found.bytes)
}

function idOf({ place }: ObjectStore, bytes: Uint8Array): string {
  const record: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const id = memberOf(record, 'id')
  if (memberOf(record, 'format') !== 1 || typeof id !== 'string')
    throw new DataFolderError(`Cannot open ${place}: a later version of tracelake keeps its data in it`)
  return id
}
