import type { Store } from '../../engine/store.ts'
import { jobsPartition, jobsTable } from '../../engine/tables/jobs-table.ts'
import { allOf, equals, isOneOf } from '../../query/grammar.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'
import { type Job, type JobState, jobCells, jobOf, jobRow } from './job.ts'

/** Which jobs to list. */
interface JobsWanted {
  readonly projectId: string | undefined
  readonly states: readonly JobState[]
  readonly kind?: string
  /** A member of the request, and its text. */
  readonly about?: { readonly member: string; readonly text: string }
  readonly limit: number
}

const partition = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(jobsPartition)

/** Jobs as they are stored. */
export class StoredJobs {
  protected readonly store: Store
  protected readonly clock: Clock
  private readonly rows: TableRows

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
    this.rows = new TableRows({
      store,
      table: jobsTable,
      rules: {
        catalog: tableCatalog(jobsTable),
        otherwise: [{ field: 'created_at', direction: 'asc' }],
        tieBreaker: ascendingBy('id'),
      },
    })
  }

  /** Unfinished jobs as stored, in order. */
  async listUndone(): Promise<Job[]> {
    return await this.select('state', 'waiting')
  }

  /** Those and the paused ones. */
  async listUnfinished(): Promise<Job[]> {
    return [...(await this.listUndone()), ...(await this.select('state', 'paused'))]
  }

  /** The job with this id, in any project. */
  async findById(id: string): Promise<Job | undefined> {
    return (await this.select('id', id))[0]
  }

  /** The job with this id in the project, if any. */
  async find(projectId: string, id: string): Promise<Job | undefined> {
    return (await this.select('id', id)).find((job) => job.projectId === projectId)
  }

  /** The kinds of those of the jobs that the project has, in whatever state, by id. */
  async kindsOf(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0 || this.store.isEmpty(jobsTable.name)) return new Map()
    const query = { $expr: allOf(equals('target_project_id', projectId), isOneOf('id', ids)) }
    const found = await this.rows.select(partition, jobsTable.select('id', 'kind'), { query })
    return new Map(found.map(({ id, kind }) => [id, kind]))
  }

  /** Jobs in any of the states (all if empty), the newest first. */
  async list({ projectId, states, kind, about, limit }: JobsWanted): Promise<Job[]> {
    const conditions = [
      ...(projectId === undefined ? [] : [equals('target_project_id', projectId)]),
      ...(kind === undefined ? [] : [equals('kind', kind)]),
      ...(about === undefined ? [] : [equals(`request.${about.member}`, about.text)]),
      ...(states.length === 0 ? [] : [isOneOf('state', states)]),
    ]
    const query = conditions.length === 0 ? undefined : { $expr: allOf(...conditions) }
    const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
    return (await this.rows.select(partition, jobCells, { query, sort_by, limit })).map(jobOf)
  }

  /** The number of jobs that are waiting or running. */
  async countUndone(): Promise<number> {
    return (await this.listUndone()).length
  }

  protected async select(field: 'id' | 'state', value: string): Promise<Job[]> {
    const query = { $expr: equals(field, value) }
    return (await this.rows.select(partition, jobCells, { query })).map(jobOf)
  }

  protected async save(job: Job): Promise<void> {
    await this.store.write(jobsTable.name, [jobRow(job, this.clock.nowMs() * 1000)])
  }
}
