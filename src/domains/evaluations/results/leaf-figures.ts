import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { keysStatement, type LeafSource, leafFiguresStatement } from '../sql/leaves.ts'

/**
 * Statistics of the scalars at one path of a JSON column, over the kept trials of one evaluation.
 */
export interface LeafFigures {
  readonly evaluationId: string
  readonly path: readonly string[]
  readonly numberCount: number
  readonly numberSum: number
  readonly trueCount: number
  readonly truthCount: number
  readonly textCount: number
}

/**
 * Statistics of all paths that hold a number, boolean or string in any trial, ordered by path.
 * Arrays are skipped.
 *
 * @returns `isCut`: there were more paths than the limit
 */
export async function readLeafFigures(
  snapshot: Snapshot,
  table: string,
  source: LeafSource,
): Promise<{ figures: LeafFigures[]; isCut: boolean }> {
  const { paths, isCut } = await findPaths(snapshot, table, source)
  if (paths.length === 0) return { figures: [], isCut }
  const rows = await snapshot.rows(leafFiguresStatement(table, source, paths))
  const figures = rows.map(([place, evaluation, numberCount, numberSum, trueCount, truthCount, textCount]) => ({
    evaluationId: evaluation as string,
    path: paths[place as number]!,
    numberCount: numberCount as number,
    numberSum: numberSum as number,
    trueCount: trueCount as number,
    truthCount: truthCount as number,
    textCount: textCount as number,
  }))
  return { figures, isCut }
}

/** All paths to members, level by level: each level queries the keys of the one above. */
async function findPaths(
  snapshot: Snapshot,
  table: string,
  source: LeafSource,
): Promise<{ paths: string[][]; isCut: boolean }> {
  const found: string[][] = []
  let level: string[][] = [[]]
  for (let depth = 0; depth < operationLimits.scoreDepthMax && level.length > 0; depth++) {
    const parents = level
    const rows = await snapshot.rows(keysStatement(table, source, parents))
    level = rows.map(([place, key]) => [...parents[place as number]!, key as string])
    if (found.length + level.length > operationLimits.scorePathsMax) {
      return { paths: [...found, ...level].slice(0, operationLimits.scorePathsMax), isCut: true }
    }
    found.push(...level)
  }
  return { paths: found, isCut: level.length > 0 }
}
