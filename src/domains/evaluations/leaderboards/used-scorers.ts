import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Objects } from '../../objects/index.ts'
import { findVersion, readScorers, type UsedVersion } from '../comparison/versions.ts'
import type { LeaderboardCell, LeaderboardRow } from '../model/leaderboard.ts'
import type { Named } from '../model/run-list.ts'
import { findCompared } from '../results/trials.ts'

/**
 * The versions of scorers that the calls of runs name: a run that was scored again has others than
 * its evaluation. Kept for as long as the figures of a run stay the same.
 */
export class UsedScorers {
  private readonly store: Store
  private readonly objects: Objects
  private readonly kept = new BoundedMap<string, { readonly scorer: Named | undefined }>(
    operationLimits.keptRunFiguresMax,
  )

  constructor({ store, objects }: { store: Store; objects: Objects }) {
    this.store = store
    this.objects = objects
  }

  /** Rows with these versions in their cells. @param names of the scorers, by column */
  async inRows(
    reader: ProjectReader,
    rows: readonly LeaderboardRow[],
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<LeaderboardRow[]> {
    const keyOf = ({ evaluation_call_id, value, scored_rows }: LeaderboardCell, index: number): string =>
      [reader.projectId, evaluation_call_id, names[index], value, scored_rows].join('\n')
    const unknown = rows.flatMap(({ cells }) =>
      cells.flatMap((cell, index) => (cell && !this.kept.has(keyOf(cell, index)) ? cell.evaluation_call_id : [])),
    )
    const read = await this.read(reader, [...new Set(unknown)], signal)
    return rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, index) => {
        if (cell === null) return null
        const key = keyOf(cell, index)
        const known = this.kept.get(key) ?? { scorer: read.get(`${cell.evaluation_call_id} ${names[index]}`) }
        this.kept.set(key, known)
        return { ...cell, scorer: known.scorer ?? cell.scorer }
      }),
    }))
  }

  private async read(
    reader: ProjectReader,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Named>> {
    const found: UsedVersion[] = []
    for (let from = 0; from < ids.length; from += operationLimits.evaluationsMax) {
      const some = ids.slice(from, from + operationLimits.evaluationsMax)
      const { projectId } = reader
      const used = await this.store.read([callsTable.name], { projectId, signal }, async (snapshot) =>
        readScorers(snapshot, await findCompared(snapshot, reader, some, { datasetRows: false })),
      )
      found.push(...used)
    }
    const versions = new Map<string, number | null>()
    for (const ref of new Set(found.map((each) => each.ref)))
      versions.set(ref, (await findVersion(this.objects, reader, ref))?.version_index ?? null)
    return new Map(
      found.map(({ name, ref, evaluationId }) => [
        `${evaluationId} ${name}`,
        { ref, name, version: versions.get(ref) ?? null },
      ]),
    )
  }
}
