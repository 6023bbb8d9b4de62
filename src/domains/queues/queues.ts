import type { Store } from '../../engine/store.ts'
import { clientColumns, type DescribedTable } from '../../engine/tables/define-table.ts'
import { queuesTable } from '../../engine/tables/queue-tables.ts'
import type { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { formatTime } from '../../lib/time.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { fieldOneOf } from '../../query/expression.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { MonotonicClock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { HeavyQuestions } from '../calls/index.ts'
import { TableRows } from '../records/index.ts'
import type { Leases } from './leases.ts'
import type { Queue, QueueCreate, QueuesRequest, QueueUpdate } from './model/annotation-queues.ts'
import { leaseSecondsUsual, type ReviewSettings } from './model/review.ts'

/** Dependencies shared by the files of this folder. */
export interface QueueDependencies {
  readonly store: Store
  readonly clock: MonotonicClock
  readonly dialect: OutputNames
  /** Shared, so that a queue and its items are never changed concurrently. */
  readonly locks: KeyedMutex
  readonly leases: Leases
  /** Finds the calls that match a query. */
  readonly heavy: HeavyQuestions
}

const queueCells = queuesTable.select(
  'id',
  'name',
  'description',
  'scorer_refs',
  'created_at',
  'created_by',
  'updated_at',
  'deleted_at',
  'reviewers_per_item',
  'guidelines',
  'lease_seconds',
  'assigned_to',
)

/** A queue as stored; times in microseconds. */
type QueueRow = ReturnType<typeof queueCells.read>

interface QueueWithReview {
  readonly queue: Queue
  readonly review: ReviewSettings
}

/** Annotation queues without their items. Deleted queues are invisible. */
export class Queues {
  private readonly deps: QueueDependencies
  private readonly rows: TableRows

  constructor(deps: QueueDependencies) {
    this.deps = deps
    this.rows = queueRows(deps, queuesTable, 'desc')
  }

  async create(
    writer: ProjectWriter,
    { name, description, scorer_refs }: Omit<QueueCreate, 'project_id'>,
  ): Promise<string> {
    const now = this.deps.clock.nowMicros()
    const id = newId()
    await this.put(writer, {
      id,
      name,
      description: description ?? '',
      scorer_refs,
      created_at: now,
      created_by: writer.userId,
      updated_at: now,
      deleted_at: null,
      reviewers_per_item: null,
      guidelines: null,
      lease_seconds: null,
      assigned_to: null,
    })
    return id
  }

  /**
   * Queues as JSON texts in batches, newest first by default. @throws DomainError InvalidField,
   * InvalidRequest
   */
  async *jsonLines(
    reader: ProjectReader,
    { name, ...page }: Omit<QueuesRequest, 'project_id'>,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const isLike = { $contains: { input: field('name'), substr: { $literal: name }, case_insensitive: true } }
    const query = { $expr: { $and: [isLive, ...(name ? [isLike] : [])] } }
    for await (const rows of this.rows.selectInTurn(reader, queueCells.columns, { ...page, query }, signal)) {
      yield rows.map((cells) => JSON.stringify(queueOf(reader, queueCells.read(cells))))
    }
  }

  /** @throws DomainError NotFound */
  async read(reader: ProjectReader, id: string): Promise<Queue> {
    return queueOf(reader, await this.getRow(reader, id))
  }

  /** Updates the given members and keeps the others. @throws DomainError NotFound */
  async update(
    writer: ProjectWriter,
    id: string,
    { name, description, scorer_refs }: Omit<QueueUpdate, 'project_id'>,
  ): Promise<Queue> {
    return await this.deps.locks.run(id, async () => {
      const queue = await this.getRow(writer, id)
      const isChanged = [name, description, scorer_refs].some((value) => value !== null && value !== undefined)
      if (!isChanged) return queueOf(writer, queue)
      const changed = {
        ...queue,
        name: name ?? queue.name,
        description: description ?? queue.description,
        scorer_refs: scorer_refs ?? queue.scorer_refs,
        updated_at: this.deps.clock.nowMicros(),
      }
      await this.put(writer, changed)
      return queueOf(writer, changed)
    })
  }

  /**
   * Deletes a queue. Its items and annotations stay stored but are no longer visible. @throws
   * DomainError NotFound
   */
  async delete(writer: ProjectWriter, id: string): Promise<Queue> {
    return await this.deps.locks.run(id, async () => {
      const queue = await this.getRow(writer, id)
      const now = this.deps.clock.nowMicros()
      const deleted = { ...queue, updated_at: now, deleted_at: now }
      await this.put(writer, deleted)
      return queueOf(writer, deleted)
    })
  }

  /** Whether the queue exists. */
  async has(reader: ProjectReader, id: string): Promise<boolean> {
    return (await this.existing(reader, [id])).size > 0
  }

  /** How the queue is reviewed. @throws DomainError NotFound */
  async review(
    reader: ProjectReader,
    id: string,
  ): Promise<ReviewSettings & { readonly scorerRefs: readonly string[]; readonly createdBy: string }> {
    const row = await this.getRow(reader, id)
    return { ...reviewOf(row), scorerRefs: row.scorer_refs, createdBy: row.created_by }
  }

  /** How the queue is reviewed, by the caller too. @throws DomainError NotFound, Forbidden */
  async reviewBy(writer: ProjectWriter, id: string): ReturnType<Queues['review']> {
    const review = await this.review(writer, id)
    if (review.assigned_to.length > 0 && !review.assigned_to.includes(writer.userId))
      throw new DomainError('Forbidden', 'This queue is assigned to other people, who alone can review its items')
    return review
  }

  /** Changes how a queue is reviewed; other members stay. @throws DomainError NotFound */
  async setReview(writer: ProjectWriter, id: string, changes: Partial<ReviewSettings>): Promise<ReviewSettings> {
    return await this.deps.locks.run(id, async () => {
      const row = await this.getRow(writer, id)
      const changed = { ...row, ...reviewOf(row), ...changes, updated_at: this.deps.clock.nowMicros() }
      await this.put(writer, changed)
      return reviewOf(changed)
    })
  }

  /** @throws DomainError NotFound */
  async require(reader: ProjectReader, id: string): Promise<void> {
    if (!(await this.has(reader, id))) throw noQueue(id)
  }

  /** The subset of `ids` that are queue ids. */
  async existing(reader: ProjectReader, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await this.list(reader, ids)).map(({ queue }) => queue.id))
  }

  /** Queues, the newest first; without `ids`, all of them. */
  async list(reader: ProjectReader, ids?: readonly string[]): Promise<QueueWithReview[]> {
    if (ids?.length === 0) return []
    const where = ids && fieldOneOf(this.rows.field('id'), ids)
    const rows = await this.rows.select(reader, queueCells, { query: { $expr: isLive }, ...(where && { where }) })
    return rows.map((row) => ({ queue: queueOf(reader, row), review: reviewOf(row) }))
  }

  private async getRow(reader: ProjectReader, id: string): Promise<QueueRow> {
    const query = { $expr: { $eq: [field('id'), { $literal: id }] } }
    const [row] = await this.rows.select(reader, queueCells, { query })
    if (row === undefined || row.deleted_at !== null) throw noQueue(id)
    return row
  }

  private async put({ projectId }: ProjectWriter, queue: QueueRow): Promise<void> {
    await this.deps.store.write(queuesTable.name, [queuesTable.row({ project_id: projectId, ...queue })])
  }
}

const field = (name: string) => ({ $getField: name })
const isLive = { $eq: [field('deleted_at'), { $literal: null }] }

const noQueue = (id: string) => new DomainError('NotFound', `Queue ${id.slice(0, 80)} not found or already deleted`)

const reviewOf = (row: Pick<QueueRow, keyof ReviewSettings>): ReviewSettings => ({
  reviewers_per_item: row.reviewers_per_item ?? 1,
  guidelines: row.guidelines ?? '',
  lease_seconds: row.lease_seconds ?? leaseSecondsUsual,
  assigned_to: [...(row.assigned_to ?? [])],
})

function queueOf(
  { projectId }: ProjectReader,
  { reviewers_per_item: _, guidelines: __, lease_seconds: ___, assigned_to: ____, ...row }: QueueRow,
): Queue {
  return {
    ...row,
    project_id: projectId,
    scorer_refs: [...row.scorer_refs],
    created_at: formatTime(row.created_at),
    updated_at: formatTime(row.updated_at),
    deleted_at: row.deleted_at === null ? null : formatTime(row.deleted_at),
  }
}

/** Queries of the tables of this folder, whose columns have the same names in the API. */
export const queueRows = ({ store }: QueueDependencies, table: DescribedTable, direction: 'asc' | 'desc'): TableRows =>
  new TableRows({
    store,
    table,
    rules: {
      catalog: tableCatalog({ columns: clientColumns(table) }),
      otherwise: [{ field: 'created_at', direction }],
      tieBreaker: ascendingBy('id'),
    },
  })
