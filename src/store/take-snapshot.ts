import type { Reader } from '../duck/reader.ts'
import type { ReaderPool } from '../duck/reader-pool.ts'
import type { Log } from '../log.ts'
import { type PinRounds, unpinAll } from './pin-rounds.ts'
import { Snapshot, type StreamSnapshot } from './snapshot.ts'
import type { TableStore } from './table/table-store.ts'

/**
 * A view of the tables as they are now, through a reader of the pool.
 *
 * @throws DomainError Overloaded, RequestCancelled
 */
export async function takeSnapshot(options: {
  tables: readonly TableStore[]
  readers: ReaderPool
  rounds: PinRounds
  log: Log
  /** Ends the waiting for a reader. */
  signal?: AbortSignal | undefined
}): Promise<StreamSnapshot> {
  const { tables, readers, rounds, log, signal } = options
  const reader = await readers.acquire(signal)
  try {
    const pinned = await rounds.pin(tables, reader)
    return new Snapshot(reader, pinned, async () => {
      await giveBack(readers, reader, log)
      await unpinAll(tables, pinned)
    })
  } catch (cause) {
    readers.discard(reader)
    throw cause
  }
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
