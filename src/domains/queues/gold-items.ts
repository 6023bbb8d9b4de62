import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { progressTable, queueItemsTable } from '../../engine/tables/queue-tables.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { storedJson } from '../../lib/json-value.ts'
import { equals } from '../../query/grammar.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { KnownAnswers } from './model/final-answers.ts'
import { type QueueDependencies, type Queues, queueRows } from './queues.ts'
import { noItem, type Place } from './reviews.ts'
import { compileGoldAnswers, compileGoldItems } from './sql/given-answers.ts'

interface KnownAnswer {
  readonly annotation_ref: string
  readonly value: unknown
}

interface GoldItem {
  readonly item_id: string
  readonly call_id: string
  readonly answers: KnownAnswer[]
}

const cells = queueItemsTable.select(
  'id',
  'queue_id',
  'call_id',
  'call_started_at',
  'call_ended_at',
  'call_op_name',
  'call_trace_id',
  'display_fields',
  'created_at',
  'created_by',
  'compared_call_id',
)

/**
 * Items with known answers, mixed in among the others. Reviewers do not see which they are; admins
 * see how many of them each person answers right.
 */
export class GoldItems {
  private readonly deps: QueueDependencies
  private readonly queues: Queues

  constructor(deps: QueueDependencies, queues: Queues) {
    this.deps = deps
    this.queues = queues
  }

  /**
   * Stores the known answers of an item; without any, it is an ordinary one.
   *
   * @throws DomainError NotFound; InvalidRequest for answers that their specs refuse
   */
  async set(
    admin: ProjectWriter,
    { queueId, itemId }: Place,
    answers: KnownAnswers['answers'],
    check: (answer: KnownAnswer, callId: string) => Promise<void>,
  ): Promise<void> {
    await this.deps.locks.run(queueId, async () => {
      await this.queues.require(admin, queueId)
      const rows = queueRows(this.deps, queueItemsTable, 'asc')
      const [row] = await rows.select(admin, cells, { query: { $expr: equals('id', itemId) } })
      if (row === undefined || row.queue_id !== queueId) throw noItem(queueId, itemId)
      for (const answer of answers) await check(answer, row.call_id)
      const gold = answers.length === 0 ? null : storedJson(answers)
      await this.deps.store.write(queueItemsTable.name, [
        queueItemsTable.row({ project_id: admin.projectId, ...row, gold }),
      ])
    })
  }

  /**
   * The gold items of a queue, and how many of them each person answered right.
   *
   * @throws DomainError NotFound
   */
  async read(reader: ProjectReader, queueId: string) {
    await this.queues.require(reader, queueId)
    const { projectId } = reader
    const scope = { projectId, queueId }
    const tables = [queueItemsTable.name, progressTable.name, feedbackTable.name]
    const { gold, given } = await this.deps.store.read(tables, reader, async (snapshot) => {
      const where = { queue_id: [queueId] }
      const items = snapshot.relation(queueItemsTable.name, where)
      const progress = snapshot.relation(progressTable.name, where)
      const feedback = snapshot.relation(feedbackTable.name)
      return {
        gold: await snapshot.rows(compileGoldItems(scope, items)),
        given: await snapshot.rows(compileGoldAnswers(scope, { items, progress, feedback })),
      }
    })
    const items = gold.map(
      ({ item_id, call_id, gold: text }): GoldItem => ({
        item_id,
        call_id,
        answers: parseExactly(text) as KnownAnswer[],
      }),
    )
    return { items, reviewers: reviewersOf(items, given) }
  }
}

interface GivenAnswer {
  readonly item_id: string
  readonly user_id: string
  readonly annotation_ref: string | null
  readonly value: string | null
}

/** Who has answered how many items, and how many of those right; most answers first. */
function reviewersOf(items: readonly GoldItem[], given: readonly GivenAnswer[]) {
  const byPerson = [...Map.groupBy(given, ({ user_id }) => user_id)].map(([user_id, own]) => {
    const byItem = Map.groupBy(own, ({ item_id }) => item_id)
    const answered = items.filter(({ item_id }) => byItem.has(item_id))
    const right = answered.filter(({ item_id, answers }) =>
      answers.every(({ annotation_ref, value }) => {
        const said = byItem.get(item_id)?.find((each) => each.annotation_ref === annotation_ref)?.value
        return said != null && isSame(said, storedJson(value))
      }),
    )
    return { user_id, answered: answered.length, right: right.length }
  })
  return byPerson.toSorted((a, b) => b.answered - a.answered || (a.user_id < b.user_id ? -1 : 1))
}

/** Whether two JSON texts say the same: numbers by their value. */
const isSame = (a: string, b: string): boolean =>
  a === b || JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
