/**
 * A process that writes data files with sidecars, or erases a project from them, and says what it
 * has done: `sidecar-program.ts FOLDER fill|erase`.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { callsOfFile, eraseProject, openCalls, withSmallSidecars } from './sidecar-calls.ts'

const [folder = '', task = ''] = process.argv.slice(2)
withSmallSidecars()
const bench = await openCalls(folder)
if (task === 'erase') await eraseProject(bench)
else {
  for (const file of [0, 1]) {
    await bench.store.write('calls', callsOfFile(file))
    writeSync(1, `${file}\n`)
    await bench.store.flush({ retainIncomplete: false })
  }
  await bench.store.compact()
}
await bench.close()
