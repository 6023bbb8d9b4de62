import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { present } from '../../lib/present.ts'
import type { Sql } from '../../lib/sql.ts'
import { formatTime } from '../../lib/time.ts'
import { parseSort } from '../../query/sort.ts'
import { parsePage } from '../../query/table-plan.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import {
  type AddedCalls,
  AnnotationState,
  type QueueCalls,
  type QueueItem,
  type QueueItemsRequest,
  type QueueStats,
} from './model/annotation-queues.ts'
import type { PairsRequest } from './model/pairs.ts'
import { type QueueItemsPlan, queueItemsOrder } from './plan/queue-items-plan.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import {
  compileCallsInQueue,
  compileCallsToAdd,
  compileQueueItems,
  compileQueueStats,
  type QueueItemCells,
} from './sql/queue-items.ts'
import { compileItemsInQueue } from './sql/queue-overview.ts'

/** An item with, if requested, the feedback given in the queue: JSON objects joined by commas. */
interface ReadItem {
  readonly item: QueueItem
  readonly feedback: string | undefined
}

function readItem(projectId: string, row: QueueItemCells): ReadItem {
  const item: QueueItem = {
    id: row.id,
    project_id: projectId,
    queue_id: row.queue_id,
    call_id: row.call_id,
    call_started_at: formatTime(row.call_started_at),
    call_ended_at: row.call_ended_at === null ? null : formatTime(row.call_ended_at),
    call_op_name: row.call_op_name,
    call_trace_id: row.call_trace_id,
    display_fields: [...row.display_fields],
    added_by: row.created_by,
    annotation_state: present(
      AnnotationState.anyOf.map((state) => state.const).find((state) => state === row.annotation_state),
      'The state of an item',
    ),
    annotator_user_id: row.annotator_user_id,
    created_at: formatTime(row.created_at),
    created_by: row.created_by,
    updated_at: formatTime(row.updated_at),
    deleted_at: null,
    position_in_queue: row.position,
    ...(row.compared_call_id !== null && { compared_call_id: row.compared_call_id }),
  }
  return { item, feedback: row.entries ?? undefined }
}

/** The JSON text of an item; feedback is copied verbatim. */
function itemText({ item, feedback }: ReadItem, { withPosition }: { readonly withPosition: boolean }): string {
  const text = JSON.stringify(withPosition ? item : { ...item, position_in_queue: null })
  return feedback === undefined ? text : `${text.slice(0, -1)},"feedback":[${feedback}]}`
}

/** The result columns of `compileCallsToAdd`, as columns of an item. */
const callCells = queueItemsTable.select('call_id', 'call_started_at', 'call_ended_at', 'call_op_name', 'call_trace_id')

type QueuedCall = ReturnType<typeof callCells.read>

/** Items of annotation queues. */
export class QueueItems {
  private readonly deps: QueueDependencies
  private readonly queues: Queues

  constructor(deps: QueueDependencies, queues: Queues) {
    this.deps = deps
    this.queues = queues
  }

  /**
   * Adds calls to a queue in the order given. Calls already in the queue are left unchanged,
   * unknown calls are ignored. Requests on one queue are serialized, so that a call sent twice at
   * once is still one item.
   *
   * @throws DomainError NotFound
   */
  async add(
    writer: ProjectWriter,
    queueId: string,
    { call_ids, display_fields }: Omit<QueueCalls, 'project_id'>,
  ): Promise<AddedCalls> {
    return await this.deps.locks.run(queueId, async () => {
      await this.queues.require(writer, queueId)
      const ids = [...new Set(call_ids)]
      const { calls, present } = await this.lookUp(writer, queueId, ids)
      const added = ids.flatMap((id) => (present.has(id) ? [] : (calls.get(id) ?? [])))
      const items = added.map((call) => ({ ...call, compared_call_id: null }))
      return { added_count: await this.write(writer, queueId, items, display_fields), duplicates: present.size }
    })
  }

  /**
   * Adds pairs of calls to a queue, for people to compare; an item belongs to the first call of a
   * pair. Pairs that are in the queue in either order, and those whose first call is, are left
   * unchanged; pairs with an unknown call are ignored.
   *
   * @throws DomainError NotFound
   */
  async addPairs(writer: ProjectWriter, queueId: string, pairs: PairsRequest['pairs']): Promise<AddedCalls> {
    return await this.deps.locks.run(queueId, async () => {
      await this.queues.require(writer, queueId)
      const wanted = pairs.filter(({ call_id, compared_call_id }) => call_id !== compared_call_id)
      const ids = [...new Set(wanted.flatMap(({ call_id, compared_call_id }) => [call_id, compared_call_id]))]
      const { calls, present } = await this.lookUp(writer, queueId, ids)
      const added: (QueuedCall & { readonly compared_call_id: string })[] = []
      let duplicates = 0
      for (const { call_id, compared_call_id } of wanted) {
        const call = calls.get(call_id)
        if (call === undefined || !calls.has(compared_call_id)) continue
        if (present.has(call_id) || present.get(compared_call_id) === call_id) {
          duplicates++
          continue
        }
        present.set(call_id, compared_call_id)
        added.push({ ...call, compared_call_id })
      }
      return { added_count: await this.write(writer, queueId, added, []), duplicates }
    })
  }

  private async write(
    { projectId, userId }: ProjectWriter,
    queueId: string,
    items: readonly (QueuedCall & { readonly compared_call_id: string | null })[],
    display_fields: readonly string[],
  ): Promise<number> {
    const now = this.deps.clock.nowMicros(Math.max(1, items.length))
    const rows = items.map((item, index) =>
      queueItemsTable.row({
        ...item,
        project_id: projectId,
        id: newId(),
        queue_id: queueId,
        display_fields: [...display_fields],
        created_at: now + index,
        created_by: userId,
        gold: null,
      }),
    )
    await this.deps.store.write(queueItemsTable.name, rows)
    return rows.length
  }

  /**
   * Takes items out of a queue; those that are not in it are ignored. What people said about them
   * stays as feedback on their calls.
   *
   * @throws DomainError NotFound
   */
  async remove(writer: ProjectWriter, queueId: string, itemIds: readonly string[]): Promise<number> {
    return await this.deps.locks.run(queueId, async () => {
      await this.queues.require(writer, queueId)
      const { projectId } = writer
      const present = await this.deps.store.read([queueItemsTable.name], { projectId }, async (snapshot) => {
        const items = snapshot.relation(queueItemsTable.name, { queue_id: [queueId] })
        return await snapshot.rows(compileItemsInQueue({ projectId, queueId }, [...new Set(itemIds)], items))
      })
      const now = this.deps.clock.nowMicros()
      const rows = present.map(({ id }) => queueItemsTable.tombstone(projectId, id, now))
      await this.deps.store.write(queueItemsTable.name, rows)
      return rows.length
    })
  }

  /**
   * Items of a queue in order, as JSON texts in batches. A reviewer who has not made the queue sees
   * others' feedback on an item once they cannot be swayed by it; see
   * docs/decisions/236-answers-hidden-from-reviewers.md.
   *
   * @throws DomainError NotFound, InvalidField, InvalidRequest
   */
  async *query(
    reader: ProjectReader,
    queueId: string,
    { isReviewer, ...request }: Omit<QueueItemsRequest, 'project_id'> & { readonly isReviewer: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const { reviewers_per_item, createdBy } = await this.queues.review(reader, queueId)
    const { include_feedback, include_position } = request
    const isBlind = include_feedback === true && isReviewer && createdBy !== reader.userId
    const plan = {
      ...this.plan(reader, queueId, request),
      ...(isBlind && { reviewer: { userId: reader.userId, reviewersPerItem: reviewers_per_item } }),
    }
    const tables = [queueItemsTable.name, progressTable.name, ...(include_feedback ? [feedbackTable.name] : [])]
    const read = (snapshot: StreamSnapshot) => snapshot.rowsInTurn(this.compiled(snapshot, plan))
    for await (const rows of this.deps.store.stream(tables, { projectId: reader.projectId, signal }, read)) {
      yield rows.map((cells) =>
        itemText(readItem(reader.projectId, cells), { withPosition: include_position === true }),
      )
    }
  }

  /** One item as shown in its queue; undefined if it is not in that queue. */
  async find(
    reader: ProjectReader,
    queueId: string,
    itemId: string,
    { withPosition = false } = {},
  ): Promise<QueueItem | undefined> {
    const plan = this.plan(reader, queueId, { filter: { id: itemId } })
    return await this.deps.store.read([queueItemsTable.name, progressTable.name], reader, async (snapshot) => {
      const [cells] = await snapshot.rows(this.compiled(snapshot, plan))
      if (cells === undefined) return undefined
      const { item } = readItem(reader.projectId, cells)
      return withPosition ? item : { ...item, position_in_queue: null }
    })
  }

  /** Progress of queues, in the order requested; zeros for unknown queues. */
  async stats(reader: ProjectReader, queueIds: readonly string[]): Promise<QueueStats[]> {
    if (queueIds.length === 0) return []
    const existing = await this.queues.existing(reader, [...new Set(queueIds)])
    const { projectId } = reader
    return await this.deps.store.read([queueItemsTable.name, progressTable.name], reader, async (snapshot) => {
      const wanted = { queue_id: [...existing] }
      const sql = compileQueueStats(projectId, [...existing], {
        items: snapshot.relation(queueItemsTable.name, wanted),
        progress: snapshot.relation(progressTable.name, wanted),
      })
      const rows = existing.size === 0 ? [] : await snapshot.rows(sql)
      const counts = new Map(rows.map(({ id, ...counted }) => [id, counted]))
      return queueIds.map((queue_id) => ({
        queue_id,
        total_items: counts.get(queue_id)?.total ?? 0,
        completed_items: counts.get(queue_id)?.completed ?? 0,
      }))
    })
  }

  /**
   * The given calls that exist, as members of an item, and the ids of those already in the queue,
   * each with the call that it is compared with.
   */
  private async lookUp({ projectId }: ProjectReader, queueId: string, ids: readonly string[]) {
    return await this.deps.store.read([callsTable.name, queueItemsTable.name], { projectId }, async (snapshot) => {
      const items = snapshot.relation(queueItemsTable.name, { queue_id: [queueId] })
      const inQueue = await snapshot.rows(compileCallsInQueue({ projectId, queueId }, ids, items))
      const relation = await snapshot.relationWhere(callsTable.name, { id: ids })
      const rows = await snapshot.rows(compileCallsToAdd(projectId, ids, relation))
      const calls = new Map(
        rows.map((cells) => {
          const call = callCells.read(cells)
          return [call.call_id, call]
        }),
      )
      return { calls, present: new Map(inQueue.map(({ id, compared }) => [id, compared])) }
    })
  }

  private plan(
    { projectId }: ProjectReader,
    queueId: string,
    request: Omit<QueueItemsRequest, 'project_id'>,
  ): QueueItemsPlan {
    const { id, call_id, call_op_name, call_trace_id, added_by, annotation_states } = request.filter ?? {}
    const equals = { id, call_id, call_op_name, call_trace_id, created_by: added_by }
    return {
      projectId,
      queueId,
      equals: Object.fromEntries(Object.entries(equals).filter(([, value]) => typeof value === 'string')),
      states: annotation_states ?? [],
      sort: parseSort(request.sort_by, queueItemsOrder),
      ...parsePage(request),
      feedback: request.include_feedback ? this.deps.dialect : undefined,
    }
  }

  private compiled(snapshot: Pick<Snapshot, 'relation'>, plan: QueueItemsPlan): Sql<QueueItemCells> {
    const wanted = { queue_id: [plan.queueId] }
    return compileQueueItems(plan, {
      items: snapshot.relation(queueItemsTable.name, wanted),
      progress: snapshot.relation(progressTable.name, wanted),
      feedback: plan.feedback && snapshot.relation(feedbackTable.name),
    })
  }
}
