import { link, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newFileName } from '../../../src/engine/data-files/file-names.ts'
import { TableLayout } from '../../../src/engine/layout.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { linkWithOtherKeys } from './large-store.ts'

/**
 * Puts each data file of a fresh store, with its index, `times` times into the table of calls, as
 * hard links: many rows in little space. Each call has as many rows, so only answers that do not
 * depend on ids are meaningful.
 */
export async function repeatFiles(data: string, times: number): Promise<void> {
  const layout = new TableLayout(data, callsTable.name)
  const lines: string[] = []
  for (const add of await addedFiles(layout)) {
    for (let time = 1; time < times; time++) {
      const [from, to] = [String(add['path']), newFileName()]
      await link(layout.parquet(from), layout.parquet(to))
      await link(layout.index(from), layout.index(to))
      lines.push(JSON.stringify({ add: { ...add, path: to } }))
    }
  }
  await commitLines(layout, lines)
}

/** Computing an index takes a third of a second. */
const otherIndexesMax = 32

/**
 * Adds links to the first data file of a fresh store, with indexes of other keys: up to
 * `otherIndexesMax` of them, and links to these.
 */
export async function addSimulatedFiles(data: string, count: number): Promise<void> {
  const layout = new TableLayout(data, callsTable.name)
  const [add] = await addedFiles(layout)
  if (add === undefined) throw new Error(`Add files to ${data}: it has none`)
  const { numRecords }: { numRecords: number } = JSON.parse(String(add['stats']))
  const names: string[] = []
  const lines: string[] = []
  for (let file = 0; file < count; file++) {
    const known = names[file % otherIndexesMax]
    const name = known === undefined ? await linkWithOtherKeys(layout, String(add['path']), numRecords) : newFileName()
    if (known !== undefined) {
      await link(layout.parquet(known), layout.parquet(name))
      await link(layout.index(known), layout.index(name))
    }
    names.push(name)
    lines.push(JSON.stringify({ add: { ...add, path: name } }))
  }
  await commitLines(layout, lines)
}

/** What the first commit of a store says of its data files. */
async function addedFiles(layout: TableLayout): Promise<Record<string, unknown>[]> {
  const [first = ''] = (await readdir(layout.deltaLog)).filter((name) => name.endsWith('.json'))
  const commit = await readFile(path.join(layout.deltaLog, first), 'utf8')
  return commit.split('\n').flatMap((line): Record<string, unknown>[] => {
    const action: { add?: Record<string, unknown> } = line === '' ? {} : JSON.parse(line)
    return action.add === undefined ? [] : [action.add]
  })
}

const commitLines = (layout: TableLayout, lines: readonly string[]): Promise<void> =>
  writeFile(path.join(layout.deltaLog, '1'.padStart(20, '0').concat('.json')), lines.join('\n'))
