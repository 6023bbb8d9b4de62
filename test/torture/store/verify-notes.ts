import { temporaryFolder } from '../../../src/engine/layout.ts'
import { verifyTable } from '../../../src/engine/verify/verify-table.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import { notesTable } from '../../store/notes-table.ts'

/** The faults that `verify` finds in the table of notes of a folder. */
export async function folderFaults(dataFolder: string): Promise<string[]> {
  const found: string[] = []
  const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: temporaryFolder(dataFolder) })
  const writer = new Writer(await database.connect())
  try {
    const report = (place: string, fault: string) => void found.push(`${place}: ${fault}`)
    await verifyTable({ writer, dataFolder, report, onProgress: () => {}, rowChecks: new Map() }, notesTable)
    return found
  } finally {
    writer.close()
    database.close()
  }
}
