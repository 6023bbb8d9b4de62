/**
 * Writes the table of what the spans of each source tell into docs/guide/opentelemetry.md; with
 * --check, exits with 1 if the document is stale.
 *
 *   --print            prints it instead
 *   --before CHECKOUT  marks what the mapping of an older checkout of this repository did not tell
 *   --traces FOLDER    about traces that Langfuse exported, instead of the test cases
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { spanToCall } from '../../../src/formats/mapping/spans/span-to-call.ts'
import { caseSources, traceSources } from './sources.ts'
import { conventionsTable, withConventionsTable } from './table.ts'
import type { Mapping } from './told.ts'

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    print: { type: 'boolean' },
    before: { type: 'string' },
    traces: { type: 'string' },
  },
})
const file = path.join(import.meta.dir, '../../../docs/guide/opentelemetry.md')

/** The mapping of another checkout. */
async function mappingOf(checkout: string): Promise<Mapping> {
  const module = (await import(path.resolve(checkout, 'src/formats/mapping/spans/span-to-call.ts'))) as {
    spanToCall: Mapping
  }
  return module.spanToCall
}

const before = values.before === undefined ? undefined : await mappingOf(values.before)
const sources = values.traces === undefined ? caseSources() : traceSources(values.traces)
const table = conventionsTable(sources, spanToCall, before)
if (values.print === true || before !== undefined || values.traces !== undefined) {
  console.log(table)
} else {
  const document = await Bun.file(file).text()
  const current = withConventionsTable(document, table)
  if (values.check !== true) await Bun.write(file, current)
  else if (current !== document) {
    console.error('docs/guide/opentelemetry.md does not show what the mapping of spans tells')
    process.exitCode = 1
  }
}
