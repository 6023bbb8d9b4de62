import { LockedFolder } from '../../../engine/folder/locked-folder.ts'
import { type RepairOptions, repairTable, tablesInFolder } from '../../../engine/repair/repair-table.ts'
import { tables } from '../../../engine/tables/tables.ts'
import { Database } from '../../../runtime/duck/database.ts'
import { Writer } from '../../../runtime/duck/writer.ts'
import type { Log } from '../../../runtime/log.ts'

export interface RepairFolderOptions extends Omit<RepairOptions, 'writer' | 'tableOf'> {
  readonly memoryBytesMax: number
  readonly log: Log
}

/**
 * Repairs the damaged data files of all tables in a folder that is not open elsewhere.
 *
 * @throws DataFolderInUse if a server is running on it
 */
export async function repairFolder(options: RepairFolderOptions & { readonly dataFolder: string }): Promise<void> {
  const { dataFolder, clock, log } = options
  const folder = await LockedFolder.acquire(dataFolder, clock, log)
  await repairLockedFolder(folder, { ...options, tableOf: tablesInFolder(dataFolder) })
}

/** The same for a folder that is locked, and released in the end. */
export async function repairLockedFolder(
  folder: LockedFolder,
  options: RepairFolderOptions & Pick<RepairOptions, 'tableOf'>,
): Promise<void> {
  try {
    const { memoryBytesMax } = options
    const database = await Database.open({ memoryBytesMax, temporaryFolder: folder.temporaryFolder })
    const writer = new Writer(await database.connect())
    try {
      for (const table of tables) await repairTable({ ...options, writer }, table)
    } finally {
      writer.close()
      database.close()
    }
  } finally {
    await folder.release()
  }
}
