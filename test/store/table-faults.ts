import { verifyTable } from '../../src/engine/verify/verify-table.ts'
import type { Table } from '../../src/lib/table.ts'
import { Database } from '../../src/runtime/duck/database.ts'
import { Writer } from '../../src/runtime/duck/writer.ts'

/** What `tracelake verify` reports about a table of a data folder. */
export async function tableFaults(dataFolder: string, table: Table): Promise<string[]> {
  const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: '' })
  const writer = new Writer(await database.connect())
  const faults: string[] = []
  const report = (_place: string, fault: string) => void faults.push(fault)
  try {
    await verifyTable({ writer, dataFolder, report, onProgress: () => {}, rowChecks: new Map() }, table)
    return faults
  } finally {
    writer.close()
    database.close()
  }
}
