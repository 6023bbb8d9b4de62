import process from 'node:process'
import { changeLimits } from './change-limits.ts'
import { coldBytesMax, coldLimits, dayMs, firstIsColdMs } from './cold-store.ts'
import { notesTable } from './notes-table.ts'
import { StoreBench } from './store-bench.ts'

/** Opens a store of two days, both of which are to be merged, until it is killed. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the store')
changeLimits({ ...coldLimits, coldFromFiles: 2, flushCheckMs: 20 })
await StoreBench.openAt(folder, { coldBytesMax, nowMs: firstIsColdMs + dayMs, tables: [notesTable] })
process.stdout.write('open\n')
