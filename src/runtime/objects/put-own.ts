import { areSameBytes } from '../platform/files/bytes.ts'
import { isObjectError, type ObjectStore, type PutCondition, type StoredObject, type Waitable } from './object-store.ts'

/** How a conditional put ended. */
export type PutOutcome =
  | { readonly isOurs: true; readonly tag: string }
  /** The object of another writer; undefined if it is gone again. */
  | { readonly isOurs: false; readonly found: StoredObject | undefined }

/**
 * A conditional put of `bytes` that nobody else would write, because they contain a nonce. The
 * store may have done it although its answer was lost; repeating it then loses the race against
 * itself, and runtimes repeat requests unasked when a kept connection closes. So after any lost
 * race the object is read: the same bytes are our own.
 */
export async function putOwn(
  store: ObjectStore,
  name: string,
  bytes: Uint8Array,
  options: Waitable & { readonly when: PutCondition },
): Promise<PutOutcome> {
  try {
    return { isOurs: true, tag: await store.put(name, bytes, options) }
  } catch (cause) {
    if (!isObjectError(cause, 'lost-race')) throw cause
  }
  const found = await findObject(store, name, options)
  if (found !== undefined && areSameBytes(found.bytes, bytes)) return { isOurs: true, tag: found.tag }
  return { isOurs: false, found }
}

/** The object; undefined if there is none. */
export async function findObject(
  store: ObjectStore,
  name: string,
  options: Waitable = {},
): Promise<StoredObject | undefined> {
  try {
    return await store.get(name, options)
  } catch (cause) {
    if (isObjectError(cause, 'absent')) return undefined
    throw cause
  }
}
