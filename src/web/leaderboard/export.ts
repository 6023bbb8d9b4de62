import { saveBlob } from '../api/download.ts'
import { modelOf, promptOf } from '../evaluation/runs.ts'
import { csvBlob, csvLine } from '../format/csv.ts'
import { leaderboardText as words } from '../text/evaluation/leaderboard.ts'
import { figureName, type Leaderboard, sortedRows } from './leaderboards.ts'

/** Saves the figures as they are shown as CSV, with intervals, counts and runs. */
export function exportLeaderboard(board: Leaderboard, id: string, by: number | 'model', isReversed: boolean): void {
  const ofColumns = board.columns.flatMap((column) =>
    words.csvColumns.map((part) => `${column.evaluation.name} ${figureName(column)} ${part}`),
  )
  const lines = sortedRows(board, by, isReversed).map((row) =>
    csvLine([
      row.cells[by === 'model' ? 0 : by]?.rank ?? null,
      modelOf(row),
      row.model.ref,
      promptOf(row),
      ...board.columns.flatMap((_, index) => {
        const cell = row.cells[index]
        return cell
          ? [cell.value, cell.low, cell.high, cell.scored_rows, cell.failed_rows, cell.evaluation_call_id]
          : words.csvColumns.map(() => null)
      }),
    ]),
  )
  saveBlob(csvBlob([csvLine([...words.csv, ...ofColumns]), ...lines]), `${id}.csv`)
}
