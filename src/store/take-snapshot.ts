import type { Reader } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import type { Log } from '../log.ts'
import type { Mutex } from './mutex.ts'
import { Snapshot, type StreamSnapshot } from './snapshot.ts'
import type { PinnedTable } from './table/pinned-table.ts'
import type { TableStore } from './table/table-store.ts'

/**
 * A view of the tables as they are now, through a reader of the pool: pins them and begins the reader's transaction at one moment.
 *
 * @throws DomainError Overloaded
 */
export async function takeSnapshot(options: {
  tables: readonly TableStore[]
  readers: ReaderPool
  layersLock: Mutex
  log: Log
}): Promise<StreamSnapshot> {
  const { tables, readers, layersLock, log } = options
  const reader = await readers.acquire()
  const pinned: PinnedTable[] = []
  const unpin = async () => {
    for (const [index, pin] of pinned.entries()) await tables[index]!.unpin(pin)
  }
  try {
    await layersLock.run(async () => {
      for (const table of tables) pinned.push(await table.pin())
      await reader.begin(pinned[0]!.active.tableName)
    })
  } catch (cause) {
    readers.discard(reader)
    await unpin()
    throw cause
  }
  return new Snapshot(reader, pinned, async () => {
    await giveBack(readers, reader, log)
    await unpin()
  })
}

async function giveBack(readers: ReaderPool, reader: Reader, log: Log): Promise<void> {
  try {
    await reader.end()
  } catch (err) {
    log.warn({ err }, 'a read connection did not end cleanly and is closed')
    readers.discard(reader)
    return
  }
  readers.release(reader)
}
