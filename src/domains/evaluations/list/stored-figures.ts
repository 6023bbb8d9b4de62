import { runFiguresTable } from '../../../engine/tables/run-figures-table.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import { RunTable, type RunTableDeps } from '../run-table.ts'
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
  private readonly table: RunTable
  private readonly kept = new BoundedMap<string, Omit<Stamped, 'id'>>(operationLimits.keptRunFiguresMax)

  constructor(deps: RunTableDeps) {
    this.table = new RunTable(deps, runFiguresTable, 'the figures of evaluation runs')
  }

  /** Reads the table of a project, once after each start. */
  async load(reader: ProjectReader): Promise<void> {
    const { projectId } = reader
    if (this.table.knownIds(projectId)) return
    const rows = this.table.isEmpty ? [] : await this.table.rows.select(reader, cells, {})
    for (const { id, stamp, figures } of rows) {
      const [written, ...of] = stamp.split(' ')
      if (Number(written) === format) this.keep(projectId, { id, stamp: of.join(' '), figures: JSON.parse(figures) })
    }
    this.table.setKnown(
      projectId,
      rows.map(({ id }) => id),
    )
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
    const now = this.table.nowMicros
    const rows = ended.map(({ id, stamp, figures }) =>
      runFiguresTable.row({
        project_id: projectId,
        id,
        stamp: `${format} ${stamp}`,
        figures: JSON.stringify(figures),
        computed_at: now,
      }),
    )
    this.table.save(
      projectId,
      ended.map(({ id }) => id),
      () => rows,
    )
  }

  /** Removes what is stored of runs that are gone. @param ids of all runs that the project has */
  forget(projectId: string, ids: ReadonlySet<string>): void {
    for (const id of this.table.forget(projectId, ids)) this.kept.delete(keyOf(projectId, id))
  }

  /** Waits for what is being stored. */
  async stop(): Promise<void> {
    await this.table.stop()
  }
}

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`
