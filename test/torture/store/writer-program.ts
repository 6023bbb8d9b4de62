/**
 * A process that writes to a store until it is killed, and says on standard output what it is about
 * to send and what was acknowledged: `writer-program.ts FOLDER SEED FIRST-MARKER`.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { Random } from '../../store/random.ts'
import { StoreBench } from '../../store/store-bench.ts'
import { NoteWriter } from './note-writer.ts'
import { type Batch, Oracle } from './oracle.ts'

const [folder = '', seed = '', from = ''] = process.argv.slice(2)
const random = new Random(Number(seed))
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

const bench = await StoreBench.openAt(folder)
say({ opened: true })
const oracle = new Oracle(Number(from))
const begun = ({ marker, rows }: Batch) => say({ marker, rows })

/** Each has keys of its own and sends one batch at a time. */
async function write(writer: number): Promise<void> {
  const own = new NoteWriter(new Random(Number(seed) + writer), oracle, (batch) => {
    begun(batch)
    last = batch.marker
  })
  let last = ''
  for (;;) {
    const refusal = await own.write(bench.store, bench.nowMs, writer)
    if (refusal !== undefined) throw refusal
    say({ acknowledged: last })
  }
}

async function moveOn(): Promise<void> {
  for (;;) {
    await bench.store.flush()
    if (random.chance(0.3)) await bench.store.compact()
    await Bun.sleep(random.below(30))
  }
}

await Promise.all([write(0), write(1), moveOn()])
