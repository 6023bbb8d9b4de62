import { saveBlob } from '../api/download.ts'
import { csvBlob, csvLine } from '../format/csv.ts'
import { type RowsAsked, readRows } from './comparison-data.ts'

const pageMax = 1_000

/**
 * Saves the rows that are shown as CSV, a column for each score of each run.
 *
 * @param names of the runs, by id
 * @param onRows how many rows have been read
 * @throws {Problem}
 */
export async function exportRows(
  asked: RowsAsked,
  names: ReadonlyMap<string, string>,
  onRows: (count: number) => void,
): Promise<void> {
  const lines: string[] = []
  let total = 1
  for (let page = 0; page * pageMax < total; page++) {
    const { rows, scores, total_rows } = await readRows(asked, page, undefined, pageMax)
    total = total_rows
    if (page === 0) {
      const head = asked.ids.flatMap((id) =>
        [...scores.map(({ score }) => score), 'change', 'latency_seconds', 'cost', 'error'].map(
          (each) => `${names.get(id) ?? id} ${each}`,
        ),
      )
      lines.push(csvLine(['row', 'row_digest', 'input', ...head]))
    }
    for (const { number, row_digest, input, runs } of rows) {
      const cells = runs.flatMap((cell) =>
        cell === null
          ? Array.from({ length: scores.length + 4 }, () => null)
          : [...cell.values, cell.change, cell.latency_seconds, cell.cost, cell.exception],
      )
      lines.push(csvLine([number, row_digest, input, ...cells]))
    }
    onRows(Math.min(total, (page + 1) * pageMax))
  }
  saveBlob(csvBlob(lines), 'comparison.csv')
}
