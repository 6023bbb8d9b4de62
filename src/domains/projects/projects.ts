import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { objectsTable } from '../../engine/tables/objects-table.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { formatTime } from '../../lib/time.ts'
import { compileProjectHours, compileProjects, type ProjectHour } from '../../query/sql/projects.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectsReader } from '../access/index.ts'
import type { CallStatistics } from '../usage/index.ts'
import type { ProjectSummary, Projects as ProjectsAnswer, ProjectsRequest } from './model/projects.ts'

const hours = 24
const hourMicros = 3_600_000_000

/** Activity of a project within the last day. */
interface LastDay {
  calls: number
  errors: number
  callsWithUsage: number
  readonly hourlyCalls: number[]
}

const nothing = (): LastDay => ({ calls: 0, errors: 0, callsWithUsage: 0, hourlyCalls: new Array(hours).fill(0) })

/** The projects of the store, which exist as soon as something is written to them. */
export class Projects {
  private readonly store: Store
  private readonly statistics: CallStatistics
  private readonly clock: Clock

  constructor(options: { store: Store; statistics: CallStatistics; clock: Clock }) {
    this.store = options.store
    this.statistics = options.statistics
    this.clock = options.clock
  }

  /** The projects that the caller may read, the most recently active first. */
  async query(reader: ProjectsReader, request: ProjectsRequest, signal: AbortSignal): Promise<ProjectsAnswer> {
    const limit = request.limit ?? operationLimits.projectsListedDefault
    const until = this.clock.nowMs() * 1000
    const since = until - hours * hourMicros
    const { rows, days } = await this.store.readProjects(
      [callsTable.name, objectsTable.name],
      signal,
      async (snapshot) => {
        const calls = snapshot.relationOfProjects(callsTable.name)
        const objects = snapshot.relationOfProjects(objectsTable.name)
        const wanted = {
          scopes: reader.scopes,
          prefix: request.prefix ?? '',
          limit: limit + 1,
          withBytes: request.include_storage_size === true,
        }
        const rows = await snapshot.rows(compileProjects(wanted, { calls, objects }))
        const active = rows.slice(0, limit).filter(({ last }) => last !== null && last >= since)
        const ids = active.map(({ id }) => id)
        const hourly =
          ids.length === 0 ? [] : await snapshot.rows(compileProjectHours(reader.scopes, ids, { since, until }, calls))
        return { rows, days: daysOf(hourly) }
      },
    )
    const listed = rows.slice(0, limit).filter(({ id }) => !this.store.erasure.hides(id))
    const costs = await this.costsOf(reader, days, { since, until, signal })
    const projects = listed.map(({ id, calls, first, last, bytes }): ProjectSummary => {
      const { calls: recent, errors, hourlyCalls } = days.get(id) ?? nothing()
      return {
        project_id: id,
        calls,
        first_call_at: timeOf(first),
        last_call_at: timeOf(last),
        bytes,
        last_24h: { calls: recent, errors, cost: costs.get(id) ?? null, hourly_calls: hourlyCalls },
      }
    })
    return { projects, has_more: rows.length > limit }
  }

  /** Costs of the projects that report usage, as far as there is time for them. */
  private async costsOf(
    reader: ProjectsReader,
    days: ReadonlyMap<string, LastDay>,
    { since, until, signal }: { since: number; until: number; signal: AbortSignal },
  ): Promise<ReadonlyMap<string, number>> {
    const waiting = [...days].flatMap(([id, { callsWithUsage }]) => (callsWithUsage > 0 ? [id] : []))
    const costs = new Map<string, number>()
    const deadlineMs = performance.now() + operationLimits.projectCostsMs
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && performance.now() < deadlineMs; id = waiting.shift()) {
        const request = {
          project_id: id,
          start: formatTime(since),
          end: formatTime(until),
          granularity: hours * 3600,
          usage_metrics: [{ metric: 'total_cost' as const }],
        }
        const { usage_buckets } = await this.statistics.stats(reader.read(id), request, signal)
        costs.set(
          id,
          usage_buckets.reduce((sum, bucket) => sum + Number(bucket['sum_total_cost'] ?? 0), 0),
        )
      }
    }
    await Promise.all(Array.from({ length: operationLimits.projectCostsAtOnce }, work))
    return costs
  }
}

function daysOf(rows: readonly ProjectHour[]): Map<string, LastDay> {
  const days = new Map<string, LastDay>()
  for (const { id, hour, calls, errors, callsWithUsage } of rows) {
    const day = days.get(id) ?? nothing()
    days.set(id, day)
    day.calls += calls
    day.errors += errors
    day.callsWithUsage += callsWithUsage
    day.hourlyCalls[hour] = calls
  }
  return days
}

const timeOf = (micros: number | null): string | null => (micros === null ? null : formatTime(micros))
