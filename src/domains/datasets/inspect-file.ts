import { datasetLimits } from '../../lib/limits/datasets.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { Inspection, ReadOptions } from './model/datasets.ts'
import { openFile } from './open-file.ts'
import { Faults } from './reading/faults.ts'
import { ColumnGuesses } from './reading/rows.ts'
import type { ReceivedFile } from './reading/text-file.ts'

/** How a file would be read, from its beginning: columns with guessed types, first rows, faults. */
export async function inspectFile(
  file: ReceivedFile,
  fileName: string,
  { options, temporaryFolder }: { options: ReadOptions; temporaryFolder: string },
): Promise<Inspection> {
  const faults = new Faults()
  const opened = await openFile(file, fileName, { options, temporaryFolder, isSample: true }, faults)
  const shown: { line: number; cellAt: (at: number, name: string) => unknown }[] = []
  const reader = opened.kind === 'columns' ? opened.reader : undefined
  const guesses = new ColumnGuesses(reader?.columns)
  const slice = new TimeSlice()
  const show = (line: number, cellAt: (at: number, name: string) => unknown) => {
    if (shown.length < datasetLimits.shownRows) shown.push({ line, cellAt })
  }
  try {
    if (reader !== undefined) {
      noteNames(reader.columns ?? [], faults)
      for await (const records of reader.records()) {
        for (const record of records) {
          guesses.add(record)
          show(record.line, (at) => record.cells[at])
        }
        await slice.yieldIfExpired()
      }
    } else if (opened.kind === 'objects') {
      for await (const records of opened.objects()) {
        for (const record of records) {
          if (guesses.names.length <= datasetLimits.columnsMax) guesses.addObject(record)
          show(record.line, (_, name) => (Object.hasOwn(record.row, name) ? record.row[name] : undefined))
        }
        await slice.yieldIfExpired()
      }
    }
  } finally {
    opened.close()
  }
  const { names, rows } = guesses
  return {
    format: opened.format,
    ...opened.facts,
    columns: guesses.result,
    rows: shown.map(({ line, cellAt }) => ({ line, values: names.map((name, at) => shownText(cellAt(at, name))) })),
    rows_read: rows,
    is_whole: opened.format === 'parquet' ? rows < datasetLimits.sampleRecords : opened.isWhole,
    ...faults.members,
  }
}

/** Names that an import would refuse. */
function noteNames(columns: readonly { readonly name: string }[], faults: Faults): void {
  const seen = new Set<string>()
  for (const [at, { name }] of columns.entries()) {
    if (name === '') faults.add(1, `${at + 1}`, '', 'the column has no name; give it one or skip it')
    else if (seen.has(name)) faults.add(1, name, name, 'two columns have this name; rename one or skip it')
    seen.add(name)
  }
}

function shownText(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, datasetLimits.shownCharsMax).toWellFormed()
}
