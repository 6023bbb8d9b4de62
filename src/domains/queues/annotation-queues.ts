import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { formatTime } from '../../lib/time.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { equals } from '../../query/grammar.ts'
import { type Clock, MonotonicClock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { Costs } from '../costs/index.ts'
import type { TableRows } from '../records/index.ts'
import { addByQuery } from './add-by-query.ts'
import { FinalAnswers } from './final-answers.ts'
import { GoldItems } from './gold-items.ts'
import { Leases } from './leases.ts'
import type { AddByQuery, AddedByQuery } from './model/add-by-query.ts'
import type { AnnotationState, QueueItem } from './model/annotation-queues.ts'
import type { FinishedItem, FinishedRequest } from './model/finished.ts'
import type { QueueOverview } from './model/overview.ts'
import { QueueItems } from './queue-items.ts'
import { type OverviewWanted, overviewOf } from './queue-overview.ts'
import { type QueueDependencies, Queues, queueRows } from './queues.ts'
import { Reviews } from './reviews.ts'
import { compileFinishedItems } from './sql/finished-items.ts'

/** States that an annotator can set. */
const settable: ReadonlySet<string> = new Set<AnnotationState>(['in_progress', 'completed', 'skipped'])

/** Progress of each annotator on each item. */
class AnnotationProgress {
  private readonly deps: QueueDependencies
  private readonly rows: TableRows
  private readonly queues: Queues
  private readonly items: QueueItems

  constructor(deps: QueueDependencies, queues: Queues, items: QueueItems) {
    this.deps = deps
    this.rows = queueRows(deps, progressTable, 'asc')
    this.queues = queues
    this.items = items
  }

  /**
   * Sets the state of an item for the calling annotator only. Each annotator may start in any
   * state, finishes once and never goes back; setting the same state again changes nothing.
   *
   * @returns the item as everyone sees it: with the most recently set state
   * @throws DomainError InvalidRequest for an invalid transition or an item that is not in the
   *   queue; NotFound for an unknown queue; Forbidden if it is assigned to others
   */
  async update(writer: ProjectWriter, queueId: string, itemId: string, state: string): Promise<QueueItem> {
    if (!settable.has(state)) {
      throw refused(itemId, `Invalid annotation_state ${quoted(state, 40)}: use one of ${[...settable].join(', ')}`)
    }
    const id = `${itemId}/${writer.userId}`
    return await this.deps.locks.run(id, async () => {
      await this.queues.reviewBy(writer, queueId)
      const item = await this.items.find(writer, queueId, itemId)
      if (item === undefined) {
        const shown = `Queue item ${itemId.slice(0, 80)} not found in queue ${queueId.slice(0, 80)}`
        throw refused(itemId, shown)
      }
      const own = await this.own(writer, id)
      if (own?.state === state) return item
      if (own !== undefined && (own.state !== 'in_progress' || state === 'in_progress')) {
        throw refused(itemId, invalidStep(own.state, state))
      }
      const now = this.deps.clock.nowMicros()
      await this.deps.store.write(progressTable.name, [
        progressTable.row({
          project_id: writer.projectId,
          id,
          queue_id: queueId,
          item_id: itemId,
          annotator_user_id: writer.userId,
          annotation_state: state,
          reason: null,
          created_at: own?.createdAtMicros ?? now,
          updated_at: now,
        }),
      ])
      return (await this.items.find(writer, queueId, itemId)) ?? item
    })
  }

  private async own(
    writer: ProjectWriter,
    id: string,
  ): Promise<{ state: string; createdAtMicros: number } | undefined> {
    const query = { $expr: equals('id', id) }
    const [row] = await this.rows.select(writer, ownCells, { query })
    return row && { state: row.annotation_state, createdAtMicros: row.created_at }
  }
}

const ownCells = progressTable.select('annotation_state', 'created_at')

/** The wording is matched by clients. */
const invalidStep = (from: string, to: string): string =>
  to === 'in_progress'
    ? `Cannot transition to 'in_progress' when a record already exists: your state is ${from}`
    : `Invalid state transition from ${from} to ${to}`

const refused = (itemId: string, why: string) => new DomainError('InvalidRequest', `Item ${quoted(itemId)}: ${why}`)

/**
 * Lists of calls for people to review one by one, with their progress. See
 * docs/decisions/035-annotation-queues.md.
 */
export class AnnotationQueues {
  readonly queues: Queues
  readonly items: QueueItems
  readonly progress: AnnotationProgress
  readonly reviews: Reviews
  readonly finals: FinalAnswers
  readonly gold: GoldItems

  private readonly deps: QueueDependencies

  private constructor(deps: QueueDependencies) {
    this.deps = deps
    this.queues = new Queues(deps)
    this.items = new QueueItems(deps, this.queues)
    this.progress = new AnnotationProgress(deps, this.queues, this.items)
    this.reviews = new Reviews(deps, this.queues, this.items)
    this.finals = new FinalAnswers(deps, this.queues, this.items)
    this.gold = new GoldItems(deps, this.queues)
  }

  /** How far the review of each queue is; see `overviewOf`. */
  async overview(reader: ProjectReader, wanted: OverviewWanted): Promise<QueueOverview[]> {
    const { store, clock, leases } = this.deps
    return await overviewOf({ store, clock, leases, queues: this.queues, items: this.items }, reader, wanted)
  }

  /** Adds calls that match a query; see `addByQuery`. */
  async addByQuery(
    writer: ProjectWriter,
    queueId: string,
    request: Omit<AddByQuery, 'project_id'>,
    costs: Costs,
    signal: AbortSignal,
  ): Promise<AddedByQuery> {
    const { store, heavy } = this.deps
    const parts = { store, heavy, queues: this.queues, items: this.items, costs, signal }
    return await addByQuery(parts, writer, queueId, request)
  }

  /** What people answered or skipped; see `finishedItems`. */
  async finished(
    reader: ProjectReader,
    queueId: string,
    request: Omit<FinishedRequest, 'project_id'>,
  ): Promise<FinishedItem[]> {
    return await finishedItems({ store: this.deps.store, queues: this.queues }, reader, queueId, request)
  }

  static over({
    clock,
    ...options
  }: Omit<QueueDependencies, 'clock' | 'locks' | 'leases'> & { readonly clock: Clock }): AnnotationQueues {
    return new AnnotationQueues({
      ...options,
      clock: new MonotonicClock(clock),
      locks: new KeyedMutex(),
      leases: new Leases(),
    })
  }

  /** The same queues, answered in other names. */
  inNames(dialect: OutputNames): AnnotationQueues {
    return new AnnotationQueues({ ...this.deps, dialect })
  }
}

const limitUsual = 100

/** What people answered or skipped in a queue, the latest first. @throws DomainError NotFound */
async function finishedItems(
  { store, queues }: Pick<QueueDependencies, 'store'> & { readonly queues: Queues },
  reader: ProjectReader,
  queueId: string,
  { mine, state, limit, offset }: Omit<FinishedRequest, 'project_id'>,
): Promise<FinishedItem[]> {
  await queues.require(reader, queueId)
  const { projectId } = reader
  const rows = await store.read([queueItemsTable.name, progressTable.name], reader, async (snapshot) => {
    const where = { queue_id: [queueId] }
    const sql = compileFinishedItems(
      {
        projectId,
        queueId,
        userId: mine ? reader.userId : undefined,
        states: state ? [state] : ['completed', 'skipped'],
        limit: limit ?? limitUsual,
        offset: offset ?? 0,
      },
      {
        items: snapshot.relation(queueItemsTable.name, where),
        progress: snapshot.relation(progressTable.name, where),
      },
    )
    return await snapshot.rows(sql)
  })
  return rows.map(({ position, finished_at, state: is, ...row }) => ({
    ...row,
    position_in_queue: position,
    state: is === 'skipped' ? 'skipped' : 'completed',
    finished_at: formatTime(finished_at),
  }))
}
