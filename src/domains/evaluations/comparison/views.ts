import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { newId } from '../../../runtime/platform/new-id.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs } from '../../costs/index.ts'
import { type Compared, findCompared } from '../results/trials.ts'
import { measuresStatement } from '../sql/row-measures.ts'
import { ComparedRunRows } from './compared-rows.ts'
import { readScorers, type UsedVersion } from './versions.ts'

/** Mean cost in dollars and latency in seconds by row; NaN where it is unknown. */
export interface RowMeasures {
  readonly cost: ReadonlyMap<string, Float64Array>
  readonly latency: ReadonlyMap<string, Float64Array>
}

/** What was read about some runs at one time. */
export interface ComparisonView {
  readonly id: string
  readonly projectId: string
  readonly roots: Compared['roots']
  readonly rows: ComparedRunRows
  /** Rows that match a query, by its text; 1 for each that does. */
  readonly matches: BoundedMap<string, Uint8Array>
  measures?: RowMeasures
  scorers?: readonly UsedVersion[]
}

/** Views that were read lately, to be sorted and filtered without reading them again. */
export class ComparisonViews {
  private readonly store: Store
  private readonly costs: Costs
  private readonly clock: Clock
  private readonly kept = new Map<string, { readonly view: ComparisonView; readonly runs: string; usedMs: number }>()

  constructor({ store, costs, clock }: { store: Store; costs: Costs; clock: Clock }) {
    this.store = store
    this.costs = costs
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
    const runs = JSON.stringify(ids)
    for (const [id, { usedMs }] of this.kept) if (usedMs + operationLimits.comparisonKeptMs < now) this.kept.delete(id)
    const known = wanted == null ? undefined : this.kept.get(wanted)
    if (known !== undefined && known.runs === runs && known.view.projectId === reader.projectId) {
      known.usedMs = now
      return known.view
    }
    const read = await this.store.read([callsTable.name], { projectId: reader.projectId, signal }, async (snapshot) => {
      const compared = await findCompared(snapshot, reader, ids, { datasetRows: false })
      return { roots: compared.roots, rows: await ComparedRunRows.read(snapshot, compared) }
    })
    const missing = ids.find(
      (id) => !read.roots.some((root) => root.id === id) || !read.rows.statesOf(id).trials.some((count) => count > 0),
    )
    if (missing !== undefined) {
      throw new DomainError('NotFound', `Evaluation run ${quoted(missing)} does not exist, or has no rows yet`)
    }
    const view = { id: newId(), projectId: reader.projectId, matches: new BoundedMap<string, Uint8Array>(8), ...read }
    if (read.rows.bytes <= operationLimits.comparisonBytesKept) {
      this.kept.set(view.id, { view, runs, usedMs: now })
      const [oldest] = [...this.kept].sort(([, a], [, b]) => a.usedMs - b.usedMs)
      if (this.kept.size > operationLimits.comparisonsKept && oldest) this.kept.delete(oldest[0])
    }
    return view
  }

  /** The scorers of the runs of a view. */
  async scorers(reader: ProjectReader, view: ComparisonView, signal: AbortSignal): Promise<readonly UsedVersion[]> {
    view.scorers ??= await this.store.read(
      [callsTable.name],
      { projectId: reader.projectId, signal },
      async (snapshot) => {
        const ids = view.roots.map(({ id }) => id)
        return await readScorers(snapshot, await findCompared(snapshot, reader, ids, { datasetRows: false }))
      },
    )
    return view.scorers
  }

  /** What all trials of a view took. */
  async measures(reader: ProjectReader, view: ComparisonView, signal: AbortSignal): Promise<RowMeasures> {
    view.measures ??= await this.readMeasures(reader, view, signal)
    return view.measures
  }

  private async readMeasures(reader: ProjectReader, view: ComparisonView, signal: AbortSignal): Promise<RowMeasures> {
    const { rows, roots } = view
    const tables = [callsTable.name, costsTable.name, tableRows.name]
    return await this.store.read(tables, { projectId: reader.projectId, signal }, async (snapshot) => {
      const ids = roots.map(({ id }) => id)
      const compared = await findCompared(snapshot, reader, ids, { datasetRows: false })
      const prices = await this.costs.priceBook(snapshot, reader)
      const sums = { cost: new Sums(ids, rows), latency: new Sums(ids, rows) }
      await snapshot.forEachChunk(measuresStatement(compared.scope, compared.models), (chunk) => {
        for (const [index, digest] of chunk.digest.entries()) {
          const at = rows.positions.get(digest)
          const run = chunk.evaluation[index] ?? ''
          if (at === undefined) continue
          sums.latency.add(run, at, chunk.seconds[index])
          sums.cost.add(run, at, prices.totalCost(chunk.usage[index] ?? null, chunk.pricedAt[index] ?? 0))
        }
      })
      return { cost: sums.cost.means(), latency: sums.latency.means() }
    })
  }
}

/** Means by run and row of what is added. */
class Sums {
  private readonly byRun: ReadonlyMap<string, { readonly sums: Float64Array; readonly counts: Uint32Array }>

  constructor(ids: readonly string[], { positions: { size } }: ComparedRunRows) {
    this.byRun = new Map(ids.map((id) => [id, { sums: new Float64Array(size), counts: new Uint32Array(size) }]))
  }

  add(run: string, at: number, value: number | null | undefined): void {
    const of = this.byRun.get(run)
    if (of === undefined || value == null) return
    of.sums[at] = (of.sums[at] ?? 0) + value
    of.counts[at] = (of.counts[at] ?? 0) + 1
  }

  means(): ReadonlyMap<string, Float64Array> {
    return new Map(
      [...this.byRun].map(([id, { sums, counts }]) => [id, sums.map((sum, at) => sum / (counts[at] ?? 0))]),
    )
  }
}
