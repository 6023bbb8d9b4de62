import { DomainError, tooMany } from '../../errors.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import { parseTime } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import type { ThreadsRequest } from '../../model/threads.ts'
import { parsePage } from '../../query/page.ts'
import { parseSort } from '../../query/sort.ts'
import { compileThreads } from '../../query/sql/threads.ts'
import { type ThreadsPlan, threadsOrder } from '../../query/threads.ts'
import type { StreamSnapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'

/** Threads, aggregated from their turns. */
export class Threads {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /** One JSON text per thread, in order. @throws DomainError InvalidField, InvalidRequest */
  async *jsonLines(reader: ProjectReader, question: ThreadsRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const plan = planThreads(reader, question)
    if (plan.limit === 0) return
    const read = (snapshot: StreamSnapshot) => {
      const sql = compileThreads(plan, snapshot.relation(callsTable.name))
      return snapshot.texts(sql)
    }
    yield* this.store.stream([callsTable.name], { projectId: plan.projectId, signal }, read)
  }
}

function planThreads({ projectId }: ProjectReader, question: ThreadsRequest): ThreadsPlan {
  const { after_datetime: after, before_datetime: before, thread_ids } = question.filter ?? {}
  const threadIds = thread_ids ?? []
  if (threadIds.length > limits.filterValuesMax) {
    throw new DomainError(
      'InvalidRequest',
      tooMany('values in `filter.thread_ids`', threadIds.length, limits.filterValuesMax),
    )
  }
  return {
    projectId,
    after: after == null ? undefined : parseTime(after),
    before: before == null ? undefined : parseTime(before),
    threadIds,
    sort: parseSort(question.sort_by, threadsOrder),
    ...parsePage(question),
  }
}
