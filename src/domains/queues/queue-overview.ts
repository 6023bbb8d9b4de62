import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { formatTime } from '../../lib/time.ts'
import type { ProjectReader } from '../access/index.ts'
import { type QueueOverview, skipReasonsMax } from './model/overview.ts'
import type { QueueItems } from './queue-items.ts'
import type { QueueDependencies, Queues } from './queues.ts'
import { compileItemsByAnswers, compileReviewers, compileSkipReasons } from './sql/queue-overview.ts'

type OverviewDependencies = Pick<QueueDependencies, 'store' | 'clock' | 'leases'> & {
  readonly queues: Queues
  readonly items: QueueItems
}

/** What an overview is asked for. */
export interface OverviewWanted {
  /** Default: all queues. */
  readonly queueIds: readonly string[] | undefined
  /** Answers from this time, in microseconds, are recent; default: the last 24 hours. */
  readonly since: number | undefined
  /** Names of people by their id. */
  readonly names: ReadonlyMap<string, string>
}

const dayMicros = 86_400_000_000

/**
 * How far the review of each queue is, newest queue first, or in the order requested; unknown
 * queues are left out.
 */
export async function overviewOf(
  { store, clock, leases, queues, items }: OverviewDependencies,
  reader: ProjectReader,
  { queueIds: wanted, since, names }: OverviewWanted,
): Promise<QueueOverview[]> {
  const found = await queues.list(reader, wanted && [...new Set(wanted)])
  const byId = new Map(found.map((each) => [each.queue.id, each]))
  const ids = wanted === undefined ? [...byId.keys()] : [...new Set(wanted)].filter((id) => byId.has(id))
  if (ids.length === 0) return []
  const now = clock.nowMicros()
  const stats = await items.stats(reader, ids)
  const scope = { projectId: reader.projectId, queueIds: ids }
  const { work, skipped, answered } = await store.read(
    [queueItemsTable.name, progressTable.name],
    reader,
    async (snapshot) => {
      const where = { queue_id: ids }
      const relations = {
        items: snapshot.relation(queueItemsTable.name, where),
        progress: snapshot.relation(progressTable.name, where),
      }
      return {
        work: await snapshot.rows(compileReviewers(scope, since ?? now - dayMicros, relations)),
        skipped: await snapshot.rows(compileSkipReasons(scope, relations)),
        answered: await snapshot.rows(compileItemsByAnswers(scope, reader.userId, relations)),
      }
    },
  )
  const workOf = Map.groupBy(work, ({ queue_id }) => queue_id)
  const skippedOf = Map.groupBy(skipped, ({ queue_id }) => queue_id)
  const answeredOf = Map.groupBy(answered, ({ queue_id }) => queue_id)
  return stats.flatMap(({ queue_id, total_items, completed_items }) => {
    const known = byId.get(queue_id)
    if (known === undefined) return []
    const own = workOf.get(queue_id) ?? []
    const skips = skippedOf.get(queue_id) ?? []
    const touched = answeredOf.get(queue_id) ?? []
    const { reviewers_per_item: asked, assigned_to } = known.review
    const isForCaller = assigned_to.length === 0 || assigned_to.includes(reader.userId)
    const times = own.flatMap(({ last_answer_at }) => last_answer_at ?? [])
    return {
      ...known,
      items: total_items,
      finished_items: completed_items,
      answers: sumOf(own, ({ answers }) => answers),
      items_by_answers: itemsByAnswers(total_items, asked, touched),
      left: isForCaller ? itemsLeft(total_items, asked, touched) : 0,
      claimed_items: leases.of(queue_id, Math.floor(now / 1000)).length,
      recent_answers: sumOf(own, ({ recent }) => recent),
      skips: sumOf(own, (each) => each.skips),
      skip_reasons: reasonsOf(skips),
      assigned_names: known.review.assigned_to.map((id) => names.get(id) ?? null),
      last_answer_at: times.length === 0 ? null : formatTime(Math.max(...times)),
      reviewers: own.map(({ user_id, answers, recent, skips: count, median_seconds, last_answer_at }) => ({
        user_id,
        name: names.get(user_id) ?? null,
        answers,
        recent_answers: recent,
        skips: count,
        skip_reasons: reasonsOf(skips.filter((each) => each.user_id === user_id)),
        median_seconds,
        last_answer_at: last_answer_at === null ? null : formatTime(last_answer_at),
      })),
    }
  })
}

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0)

/** Items with so many answers, and those of them that the caller has answered or skipped. */
interface TouchedItems {
  readonly answers: number
  readonly items: number
  readonly own_items: number
}

/** Items that lack an answer and that the caller has neither answered nor skipped. */
const itemsLeft = (items: number, asked: number, touched: readonly TouchedItems[]): number =>
  items - sumOf(touched, (each) => (each.answers < asked ? each.own_items : each.items))

/** Items without an answer, with one, and so on; more than asked for count as all. */
function itemsByAnswers(items: number, asked: number, touched: readonly TouchedItems[]): number[] {
  const answered = touched.filter(({ answers }) => answers > 0)
  const counts = Array.from({ length: asked + 1 }, () => 0)
  for (const { answers, items: count } of answered) {
    const at = Math.min(answers, asked)
    counts[at] = (counts[at] ?? 0) + count
  }
  counts[0] = items - sumOf(answered, (each) => each.items)
  return counts
}

/** Reasons with their counts, the most frequent first. */
function reasonsOf(
  skips: readonly { readonly reason: string; readonly count: number }[],
): { reason: string; count: number }[] {
  return [...Map.groupBy(skips, ({ reason }) => reason)]
    .map(([reason, each]) => ({ reason, count: sumOf(each, ({ count }) => count) }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
    .slice(0, skipReasonsMax)
}
