import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { runRowsTable } from '../../../engine/tables/run-rows-table.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs } from '../../costs/index.ts'
import { type Compared, callsOfRuns, findCompared, findRoots } from '../results/trials.ts'
import { stampsStatement } from '../sql/run-figures.ts'
import { readRunRows } from './read-run-rows.ts'
import type { RunRows } from './run-rows.ts'
import { type StampedRows, StoredRunRows } from './stored-run-rows.ts'

const tables = [callsTable.name, costsTable.name, runRowsTable.name]

/** Runs with their rows, in the order of the request; those that do not exist are left out. */
export interface RunsRead {
  readonly roots: Compared['roots']
  readonly rows: ReadonlyMap<string, RunRows>
}

interface Options {
  readonly store: Store
  readonly costs: Costs
  readonly clock: Clock
  readonly log: Log
}

/**
 * Reads the rows of runs: those that are stored, and the others from their calls, which are stored
 * then if the run has ended. See docs/decisions/253-stored-rows-of-runs.md.
 */
export class RunRowsReader {
  private readonly options: Options
  private readonly stored: StoredRunRows
  /** Rows that are stored for later, one run at a time. */
  private preparing: Promise<void> = Promise.resolve()
  private readonly waiting = new Set<string>()
  private readonly stopping = new AbortController()

  constructor(options: Options) {
    this.options = options
    this.stored = new StoredRunRows(options)
  }

  /** @throws DomainError InvalidRequest for too many rows */
  async read(reader: ProjectReader, ids: readonly string[], signal: AbortSignal): Promise<RunsRead> {
    const { projectId } = reader
    const { roots, rows, fresh } = await this.options.store.read(tables, { projectId, signal }, async (snapshot) => {
      const roots = await findRoots(snapshot, reader, [...new Set(ids)])
      const { stamps, prices } = await this.stampsOf(snapshot, reader, roots)
      const current = await this.stored.current(snapshot, reader, stamps)
      const known = await this.stored.read(snapshot, reader, [...current])
      const others = roots.filter(({ id }) => !known.has(id))
      if (others.length === 0) return { roots, rows: known, fresh: [] }
      const left = others.map(({ id }) => id)
      const compared = await findCompared(snapshot, reader, left, { datasetRows: false })
      const computed = await readRunRows(snapshot, reader, { compared, prices })
      const fresh = others.flatMap(({ id, hasEnded }): StampedRows[] => {
        const [own, stamp] = [computed.get(id), stamps.get(id)]
        return hasEnded && own !== undefined && stamp !== undefined ? [{ id, stamp, rows: own }] : []
      })
      return { roots, rows: new Map([...known, ...computed]), fresh }
    })
    this.stored.save(projectId, fresh)
    return { roots, rows }
  }

  /** Stores the rows of ended runs for the first comparison of each, in the background. */
  prepare(reader: ProjectReader, ids: readonly string[]): void {
    const { signal } = this.stopping
    for (const id of ids.slice(0, operationLimits.preparedRunsMax)) {
      const key = `${reader.projectId}\n${id}`
      if (this.waiting.has(key)) continue
      this.waiting.add(key)
      this.preparing = this.preparing.then(async () => {
        this.waiting.delete(key)
        if (signal.aborted) return
        try {
          await this.read(reader, [id], signal)
        } catch (err) {
          if (!signal.aborted) this.options.log.warn({ err }, 'could not prepare the rows of an evaluation run')
        }
      })
    }
  }

  /** Removes the stored rows of runs that are gone. @param ids of all runs that the project has */
  async forget(reader: ProjectReader, ids: ReadonlySet<string>): Promise<void> {
    await this.stored.forget(reader, ids)
  }

  /** Ends what is done in the background, and waits for what is being stored. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.preparing
    await this.stored.stop()
  }

  /** The state of the calls and prices of each run that has calls. */
  private async stampsOf(snapshot: Snapshot, reader: ProjectReader, roots: Compared['roots']) {
    const prices = await this.options.costs.priceBook(snapshot, reader)
    const traceIds = [...new Set(roots.map(({ traceId }) => traceId))]
    const scope = { children: await callsOfRuns(snapshot, roots), projectId: reader.projectId }
    const found = await snapshot.rows(stampsStatement(scope, traceIds))
    const byTrace = new Map(found.map(({ trace, calls, written }) => [trace, `${calls} ${written} ${prices.stamp}`]))
    const stamps = new Map<string, string>()
    for (const { id, traceId } of roots) {
      const stamp = byTrace.get(traceId)
      if (stamp !== undefined) stamps.set(id, stamp)
    }
    return { stamps, prices }
  }
}
