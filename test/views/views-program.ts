import process from 'node:process'
import { differences } from './differences.ts'
import type { ExpectedView } from './expected.ts'
import { serveAndFill } from './served.ts'

/*
 * For the tests with other engines: `fill DATA EXPECTED` fills a data folder and writes what the
 * views over it must hold; `compare EXPECTED ROWS MICROS` prints what differs in VIEW.jsonl of a
 * folder, written by an engine that rounds times to so many microseconds.
 */
const [, , command, first = '', second = '', third = ''] = process.argv

if (command === 'fill') await Bun.write(second, JSON.stringify(await serveAndFill(first)))
else if (command === 'compare') await compare(first, second, Number(third))
else throw new Error(`Unknown command ${command}: use fill or compare`)

async function compare(expectedFile: string, folder: string, microsKept: number): Promise<void> {
  const expected = Object.entries<ExpectedView>(await Bun.file(expectedFile).json())
  for (const [view, rows] of expected) {
    const lines = (await Bun.file(`${folder}/${view}.jsonl`).text()).split('\n').filter(Boolean)
    const faults = differences(
      view,
      rows,
      lines.map((line): Record<string, unknown> => JSON.parse(line)),
      microsKept,
    )
    for (const fault of faults) console.log(fault)
  }
}
