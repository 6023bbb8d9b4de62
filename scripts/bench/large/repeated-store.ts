import { link, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newFileName } from '../../../src/engine/data-files/file-names.ts'
import { TableLayout } from '../../../src/engine/layout.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'

/**
 * Puts each data file of a fresh store, with its index, `times` times into the table of calls, as
 * hard links: many rows in little space. Each call has as many rows, so only answers that do not
 * depend on ids are meaningful.
 */
export async function repeatFiles(data: string, times: number): Promise<void> {
  const layout = new TableLayout(data, callsTable.name)
  const [first = ''] = (await readdir(layout.deltaLog)).filter((name) => name.endsWith('.json'))
  const commit = await readFile(path.join(layout.deltaLog, first), 'utf8')
  const adds = commit.split('\n').flatMap((line): Record<string, unknown>[] => {
    const action: { add?: Record<string, unknown> } = line === '' ? {} : JSON.parse(line)
    return action.add === undefined ? [] : [action.add]
  })
  const lines: string[] = []
  for (const add of adds) {
    for (let time = 1; time < times; time++) {
      const [from, to] = [String(add['path']), newFileName()]
      await link(layout.parquet(from), layout.parquet(to))
      await link(layout.index(from), layout.index(to))
      lines.push(JSON.stringify({ add: { ...add, path: to } }))
    }
  }
  await writeFile(path.join(layout.deltaLog, '1'.padStart(20, '0').concat('.json')), lines.join('\n'))
}
