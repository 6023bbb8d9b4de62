import { LockedFolder } from '../../../engine/folder/locked-folder.ts'
import { type RepairOptions, repairTable } from '../../../engine/repair/repair-table.ts'
import { tables } from '../../../engine/tables/tables.ts'
import { Database } from '../../../runtime/duck/database.ts'
import { Writer } from '../../../runtime/duck/writer.ts'
import type { Log } from '../../../runtime/log.ts'

/**
 * Repairs the damaged data files of all tables in a folder that is not open elsewhere.
 *
 * @throws DataFolderInUse if a server is running on it
 */
export async function repairFolder(
  options: Omit<RepairOptions, 'writer'> & { readonly memoryBytesMax: number; readonly log: Log },
): Promise<void> {
  const { dataFolder, clock, log, memoryBytesMax } = options
  const folder = await LockedFolder.acquire(dataFolder, clock, log)
  try {
    const database = await Database.open({ memoryBytesMax, temporaryFolder: folder.temporaryFolder })
    const writer = new Writer(await database.connect())
    try {
      for (const table of tables) await repairTable({ ...options, writer }, table)
    } finally {
      writer.close()
      database.close()
    }
  } finally {
    folder.release()
  }
}
