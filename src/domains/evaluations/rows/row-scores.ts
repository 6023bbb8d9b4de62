import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { itemAt } from '../../../lib/present.ts'
import { findPaths } from '../results/summary.ts'
import { type Compared, keepScoredTrials } from '../results/trials.ts'
import { type RowTables, rowScoresStatement, rowsTableStatement, scoreKinds } from '../sql/row-scores.ts'

/** Keeps the trials of evaluations and their rows in temporary tables. */
export async function keepRows(
  snapshot: Snapshot,
  compared: Compared,
  options?: { readonly measures?: boolean },
): Promise<RowTables> {
  const trials = await keepScoredTrials(snapshot, compared, options)
  const rows = 'scored_rows'
  await snapshot.createTempTable(rows, rowsTableStatement(trials))
  return { trials, rows }
}

/** A mean of a row; `kinds` are `scoreKinds`. */
export type TakeScore = (score: { path: number; slot: number; mean: number | null; kinds: number }) => void

/** Paths that one statement reads. */
const pathsAtOnce = 40

/**
 * Passes what the rows have at each path of their scores to `take`, unless it is nothing.
 *
 * @returns the paths, and `isCut`: there were more than the limit
 */
export async function readRowScores(
  snapshot: Snapshot,
  tables: RowTables,
  take: TakeScore,
): Promise<{ paths: readonly (readonly string[])[]; isCut: boolean }> {
  const { paths, isCut } = await findPaths(snapshot, tables.trials, 'scores')
  for (let from = 0; from < paths.length; from += pathsAtOnce) {
    const some = paths.slice(from, from + pathsAtOnce)
    await snapshot.forEachChunk(rowScoresStatement(tables, some), (chunk) => {
      for (const index of some.keys()) {
        const [means, kinds] = [chunk[`mean${index}`] ?? [], chunk[`kinds${index}`] ?? []]
        for (const [at, slot] of chunk.slot.entries()) {
          const of = itemAt(kinds, at)
          if (of !== 0) take({ path: from + index, slot, mean: itemAt(means, at), kinds: of })
        }
      }
    })
  }
  return { paths, isCut }
}

/** Whether all finite values of a score are booleans, by all of its `scoreKinds`. */
export const isRate = (kinds: number): boolean => (kinds & scoreKinds.number) === 0
