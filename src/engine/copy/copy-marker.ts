import type { ObjectStore } from '../../runtime/objects/object-store.ts'
import { findObject, putOwn } from '../../runtime/objects/put-own.ts'
import { DataFolderError } from '../layout.ts'

/** The object that says what a copy is of, and whether all of it is there. */
const markerName = 'copy.json'

/** Where a server that keeps its data in the store has its logs. */
const logFolder = 'log/'

export interface CopiedTable {
  /** Of the Delta table, which no other has. */
  readonly id: string
  readonly version: number
}

/** The contents of `copy.json`. */
export interface CopyMarker {
  readonly tables: Readonly<Record<string, CopiedTable>>
  readonly is_complete: boolean
  /** Makes each marker different. */
  readonly run: string
}

async function findMarker(store: ObjectStore): Promise<{ marker: CopyMarker; tag: string } | undefined> {
  const found = await findObject(store, markerName)
  if (found === undefined) return undefined
  try {
    const marker: CopyMarker = JSON.parse(new TextDecoder().decode(found.bytes))
    if (typeof marker.tables === 'object' && marker.tables !== null) return { marker, tag: found.tag }
  } catch {
    // Reported below, as other content is.
  }
  throw new DataFolderError(`Cannot use ${store.place}: its ${markerName} is damaged; choose another prefix`)
}

/** Rows may be in the log of a server only, and it may change all else at any time. */
async function isServed(store: ObjectStore): Promise<boolean> {
  for await (const _ of store.list(logFolder)) return true
  return false
}

/** @returns the tag of the marker; undefined if the target is empty */
export async function requireTarget(store: ObjectStore, tables: CopyMarker['tables']): Promise<string | undefined> {
  const failed = (why: string) => new DataFolderError(`Cannot copy to ${store.place}: ${why}; choose another prefix`)
  const found = await findMarker(store)
  if (await isServed(store)) throw failed('a server keeps its data there')
  if (found === undefined) {
    for await (const { name } of store.list('')) throw failed(`it is not empty and no copy: it has ${name}`)
    return undefined
  }
  for (const [name, copied] of Object.entries(found.marker.tables)) {
    const own = tables[name]
    if (own?.id !== copied.id) throw failed(`it is a copy of another data folder, with another table "${name}"`)
    if (own.version < copied.version)
      throw failed(`it has version ${copied.version} of the table "${name}", and the data folder ${own.version}`)
  }
  return found.tag
}

/** Whether a server keeps, or has kept, its data in a store. */
export const isLake = async (store: ObjectStore): Promise<boolean> =>
  (await findObject(store, 'lake.json')) !== undefined

/** @throws DataFolderError unless the source is a whole copy that no server uses */
export async function requireSource(store: ObjectStore): Promise<CopyMarker> {
  const failed = (why: string) => new DataFolderError(`Cannot copy from ${store.place}: ${why}`)
  if (await isServed(store)) throw failed('a server keeps its data there, and some of it may be in its log only')
  const found = await findMarker(store)
  if (found === undefined) throw failed(`it is not a copy of a data folder: it has no ${markerName}`)
  if (!found.marker.is_complete) throw failed('it is incomplete; run the command that made it again')
  return found.marker
}

/**
 * @param before the tag of the marker that is replaced
 * @returns the tag of the new one
 */
export async function putMarker(store: ObjectStore, marker: CopyMarker, before: string | undefined): Promise<string> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(marker, null, 2)}\n`)
  const outcome = await putOwn(store, markerName, bytes, {
    when: before === undefined ? { ifAbsent: true } : { ifMatch: before },
  })
  if (outcome.isOurs) return outcome.tag
  throw new DataFolderError(`Cannot copy to ${store.place}: another copy to it is in progress`)
}

/** Objects of a store that are no part of the copied folder. */
export const isOwnObject = (name: string): boolean => name === markerName || name.startsWith('probe/')
