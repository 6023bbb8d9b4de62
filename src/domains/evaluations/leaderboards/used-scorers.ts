import { BoundedMap } from '../../../lib/bounded-map.ts'
import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Objects } from '../../objects/index.ts'
import { findVersion } from '../comparison/versions.ts'
import type { EvaluationRunList } from '../list/run-list.ts'
import type { LeaderboardRow } from '../model/leaderboard.ts'

const versionsAtOnce = 8

/**
 * The versions of scorers that the calls of runs name: a run that was scored again has others than
 * its evaluation.
 */
export class UsedScorers {
  private readonly runs: EvaluationRunList
  private readonly objects: Objects
  /** Index of a version by project and ref: it never changes. */
  private readonly versions = new BoundedMap<string, number>(operationLimits.keptRunFiguresMax)

  constructor({ runs, objects }: { runs: EvaluationRunList; objects: Objects }) {
    this.runs = runs
    this.objects = objects
  }

  /** Rows with these versions in their cells. @param names of the scorers, by column */
  async inRows(
    reader: ProjectReader,
    rows: readonly LeaderboardRow[],
    names: readonly string[],
  ): Promise<LeaderboardRow[]> {
    const usedIn = (runId: string, column: number): string | undefined =>
      this.runs.scorersOf(reader, runId).find(({ name }) => name === names[column])?.ref
    const refs = rows.flatMap(({ cells }) =>
      cells.flatMap((cell, index) => (cell && usedIn(cell.evaluation_call_id, index)) ?? []),
    )
    const versions = new Map<string, number | null>()
    await forEachConcurrent([...new Set(refs)], versionsAtOnce, async (ref) => {
      versions.set(ref, await this.versionOf(reader, ref))
    })
    return rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, index) => {
        const ref = cell === null ? undefined : usedIn(cell.evaluation_call_id, index)
        if (cell === null || ref === undefined) return cell
        return { ...cell, scorer: { ref, name: names[index] ?? '', version: versions.get(ref) ?? null } }
      }),
    }))
  }

  private async versionOf(reader: ProjectReader, ref: string): Promise<number | null> {
    const key = `${reader.projectId}\n${ref}`
    const kept = this.versions.get(key)
    if (kept !== undefined) return kept
    const found = (await findVersion(this.objects, reader, ref))?.version_index
    if (found !== undefined) this.versions.set(key, found)
    return found ?? null
  }
}
