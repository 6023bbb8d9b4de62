import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { newId } from '../../../runtime/platform/new-id.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Compared } from '../results/trials.ts'
import type { RunRowsReader } from '../rows/run-rows-reader.ts'
import { ComparedRunRows } from './compared-rows.ts'
import type { UsedVersion } from './versions.ts'

/** What was read about some runs at one time. */
export interface ComparisonView {
  readonly id: string
  readonly projectId: string
  readonly roots: Compared['roots']
  readonly rows: ComparedRunRows
  /** Rows that match a query, by its text; 1 for each that does. */
  readonly matches: BoundedMap<string, Uint8Array>
  readonly scorers: readonly UsedVersion[]
}

/** Views that were read lately, to be sorted and filtered without reading them again. */
export class ComparisonViews {
  private readonly runRows: RunRowsReader
  private readonly clock: Clock
  private readonly kept = new Map<string, { readonly view: ComparisonView; readonly runs: string; usedMs: number }>()

  constructor({ runRows, clock }: { runRows: RunRowsReader; clock: Clock }) {
    this.runRows = runRows
    this.clock = clock
  }

  /**
   * The view of that id if it is kept and of these runs, else a new one.
   *
   * @throws DomainError NotFound for a run without trials, InvalidRequest for too many rows
   */
  async of(
    reader: ProjectReader,
    ids: readonly string[],
    wanted: string | null | undefined,
    signal: AbortSignal,
  ): Promise<ComparisonView> {
    const now = this.clock.nowMs()
    const wantedRuns = JSON.stringify(ids)
    for (const [id, { usedMs }] of this.kept) if (usedMs + operationLimits.comparisonKeptMs < now) this.kept.delete(id)
    const known = wanted == null ? undefined : this.kept.get(wanted)
    if (known !== undefined && known.runs === wantedRuns && known.view.projectId === reader.projectId) {
      known.usedMs = now
      return known.view
    }
    const { roots, rows: runs } = await this.runRows.read(reader, ids, signal)
    const rows = ComparedRunRows.of(ids, runs)
    const missing = ids.find(
      (id) => !roots.some((root) => root.id === id) || !rows.statesOf(id).trials.some((count) => count > 0),
    )
    if (missing !== undefined) {
      throw new DomainError('NotFound', `Evaluation run ${quoted(missing)} does not exist, or has no rows yet`)
    }
    const view: ComparisonView = {
      id: newId(),
      projectId: reader.projectId,
      roots,
      rows,
      scorers: [...runs].flatMap(([evaluationId, { scorers }]) =>
        scorers.map(({ name, ref }) => ({ kind: 'scorer', name, ref, evaluationId })),
      ),
      matches: new BoundedMap(8),
    }
    if (rows.bytes <= operationLimits.comparisonBytesKept) {
      this.kept.set(view.id, { view, runs: wantedRuns, usedMs: now })
      const [oldest] = [...this.kept].sort(([, a], [, b]) => a.usedMs - b.usedMs)
      if (this.kept.size > operationLimits.comparisonsKept && oldest) this.kept.delete(oldest[0])
    }
    return view
  }
}
