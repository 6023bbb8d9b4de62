import type { Store } from '../../../engine/store.ts'
import { runFiguresTable } from '../../../engine/tables/run-figures-table.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ascendingBy } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import { TableRows } from '../../records/index.ts'
import type { RunFigures } from './run-figures.ts'

/** Figures with the state of the calls that they were computed from. */
export interface Stamped {
  readonly id: string
  readonly stamp: string
  readonly figures: RunFigures
}

/** Changes with what `RunFigures` means: stored ones of another format are computed again. */
const format = 2

const cells = runFiguresTable.select('id', 'stamp', 'figures')

/**
 * Figures of runs in memory, and those of ended runs in a table, from which they are read after a
 * restart. See docs/decisions/251-runs-that-go-on.md.
 */
export class StoredFigures {
  private readonly store: Store
  private readonly clock: Clock
  private readonly log: Log
  private readonly rows: TableRows
  private readonly kept = new BoundedMap<string, Omit<Stamped, 'id'>>(operationLimits.keptRunFiguresMax)
  /** Ids of the runs in the table, of the projects that were read since the start. */
  private readonly known = new BoundedMap<string, Set<string>>(operationLimits.keptRunFiguresMax)
  private writing: Promise<void> = Promise.resolve()

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
    this.store = store
    this.clock = clock
    this.log = log
    this.rows = new TableRows({
      store,
      table: runFiguresTable,
      rules: { catalog: tableCatalog(runFiguresTable), otherwise: [], tieBreaker: ascendingBy('id') },
    })
  }

  /** Reads the table of a project, once after each start. */
  async load(reader: ProjectReader): Promise<void> {
    const { projectId } = reader
    if (this.known.has(projectId)) return
    const ids = new Set<string>()
    const rows = this.store.isEmpty(runFiguresTable.name) ? [] : await this.rows.select(reader, cells, {})
    for (const { id, stamp, figures } of rows) {
      ids.add(id)
      const [written, ...of] = stamp.split(' ')
      if (Number(written) === format) this.keep(projectId, { id, stamp: of.join(' '), figures: JSON.parse(figures) })
    }
    this.known.set(projectId, ids)
  }

  /** Figures of a run, if its calls are still in this state. */
  find(projectId: string, id: string, stamp: string): RunFigures | undefined {
    const kept = this.kept.get(keyOf(projectId, id))
    return kept?.stamp === stamp ? kept.figures : undefined
  }

  /** What was last known of a run. */
  latest(projectId: string, id: string): RunFigures | undefined {
    return this.kept.get(keyOf(projectId, id))?.figures
  }

  keep(projectId: string, { id, stamp, figures }: Stamped): void {
    this.kept.set(keyOf(projectId, id), { stamp, figures })
  }

  /** Stores figures of ended runs, not waited for: without them they are computed again. */
  save(projectId: string, ended: readonly Stamped[]): void {
    if (ended.length === 0) return
    const now = this.clock.nowMs() * 1000
    const known = this.known.get(projectId)
    for (const { id } of ended) known?.add(id)
    this.write(
      ended.map(({ id, stamp, figures }) =>
        runFiguresTable.row({
          project_id: projectId,
          id,
          stamp: `${format} ${stamp}`,
          figures: JSON.stringify(figures),
          computed_at: now,
        }),
      ),
    )
  }

  /** Removes what is stored of runs that are gone. @param ids of all runs that the project has */
  forget(projectId: string, ids: ReadonlySet<string>): void {
    const known = this.known.get(projectId)
    const gone = [...(known ?? [])].filter((id) => !ids.has(id))
    if (gone.length === 0) return
    for (const id of gone) {
      known?.delete(id)
      this.kept.delete(keyOf(projectId, id))
    }
    const now = this.clock.nowMs() * 1000
    this.write(gone.map((id) => runFiguresTable.tombstone(projectId, id, now)))
  }

  /** Waits for what is being stored. */
  async stop(): Promise<void> {
    await this.writing
  }

  private write(rows: Parameters<Store['write']>[1]): void {
    this.writing = this.writing
      .then(() => this.store.write(runFiguresTable.name, rows))
      .then(
        () => undefined,
        (err: unknown) => this.log.warn({ err }, 'could not store the figures of evaluation runs'),
      )
  }
}

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`
