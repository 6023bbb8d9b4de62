import { isObjectError, type ObjectStore } from '../../runtime/objects/object-store.ts'
import { systemPace } from '../../runtime/objects/retrying-store.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { Fenced } from './fenced-log.ts'
import { openLog } from './open-log.ts'

const appends = 20

/**
 * Tries the log of a lake on a store: one writer appends, a second takes over, finds all of it and
 * ends the first. Removes what it has written.
 *
 * @returns what is wrong; undefined if nothing is
 * @throws ObjectStoreError, DamagedLog
 */
export async function probeLog(store: ObjectStore): Promise<string | undefined> {
  const folder = `probe/${randomHex(8)}/log`
  const open = (node: string) =>
    openLog({
      store,
      folder,
      node,
      readBorder: async () => 0,
      pace: systemPace,
      newNonce: () => randomHex(16),
    })
  try {
    const first = await open('first')
    for (let index = 0; index < appends; index++) await first.append(new TextEncoder().encode(String(index)))
    const second = await open('second')
    const found: string[] = []
    for await (const { bytes } of second.replay()) found.push(new TextDecoder().decode(bytes))
    if (found.join() !== Array.from({ length: appends }, (_, index) => index).join())
      return `${found.length} of ${appends} appends were found by another writer`
    await second.append(new TextEncoder().encode('second'))
    const late = await first.append(new TextEncoder().encode('late')).catch((cause: unknown) => cause)
    return late instanceof Fenced ? undefined : 'a writer that was replaced could still append'
  } finally {
    await removeAll(store, folder)
  }
}

async function removeAll(store: ObjectStore, folder: string): Promise<void> {
  try {
    for await (const { name } of store.list(folder)) await store.delete(name)
  } catch (cause) {
    // The check of deletions says so.
    if (!isObjectError(cause, 'refused') && !isObjectError(cause, 'unsupported')) throw cause
  }
}
