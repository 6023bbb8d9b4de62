import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { CallsFilter, SortBy } from '../../model/calls.ts'
import type { OutputOptions } from '../../query/call-output.ts'
import { type CallsPlan, type Relations, readsFeedback, readsQueues } from '../../query/calls-plan.ts'
import { parseColumns, parseExpandColumns, selectedMembers } from '../../query/columns.ts'
import { readQuery } from '../../query/compile.ts'
import { all } from '../../query/expression.ts'
import { parseCallsFilter } from '../../query/filter.ts'
import { parsePage } from '../../query/page.ts'
import type { QueueRelations } from '../../query/queue-relations.ts'
import { parseSort } from '../../query/sort.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { callsTable } from '../../tables/calls-table.ts'
import { costsTable } from '../../tables/costs-table.ts'
import { feedbackTable } from '../../tables/feedback-table.ts'
import { queueItemsTable, queuesTable } from '../../tables/queue-tables.ts'

/** What can be asked about calls; the members of the request. */
export interface CallsQuestion {
  readonly filter?: CallsFilter | null | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
  readonly sort_by?: readonly SortBy[] | null | undefined
  readonly query?: unknown
  readonly columns?: readonly string[] | null | undefined
  readonly expand_columns?: readonly string[] | null | undefined
  readonly return_expanded_column_values?: boolean | null | undefined
  readonly include_costs?: boolean | null | undefined
  readonly include_feedback?: boolean | null | undefined
  readonly include_storage_size?: boolean | null | undefined
  readonly include_total_storage_size?: boolean | null | undefined
  readonly include_usernames?: boolean | null | undefined
}

/** A question, by whom it was asked, and what is to be read for it. */
export interface AskedCalls {
  readonly reader: ProjectReader
  readonly question: CallsQuestion
  readonly plan: CallsPlan
}

/** How the server names things in the dialect it speaks. */
export interface Wire {
  readonly wireName: (member: string) => string
  readonly namespace: string
  readonly feedbackPrefix: string
}

/** Reads a question. @throws DomainError InvalidRequest, InvalidField, NotImplemented */
export function planCalls(
  reader: ProjectReader,
  question: CallsQuestion,
  wire: Wire,
  usernames: ReadonlyMap<string, string>,
): CallsPlan {
  const columns = parseColumns(question.columns)
  const costs = question.include_costs === true
  const output: OutputOptions = {
    ...wire,
    selected: selectedMembers(columns, { costs }),
    storageSize: question.include_storage_size === true,
    totalStorageSize: question.include_total_storage_size === true,
    costs,
    feedback: question.include_feedback === true,
    usernames: question.include_usernames === true ? usernames : undefined,
  }
  return {
    projectId: reader.projectId,
    where: all([parseCallsFilter(question.filter, reader.projectId), readQuery(question.query)]),
    sort: parseSort(question.sort_by),
    ...parsePage(question),
    columns,
    output,
  }
}

/** Paths at which the answer holds what refs stand for. @throws DomainError InvalidField, InvalidRequest */
export function expandedPaths(question: CallsQuestion): (readonly string[])[] {
  const paths = parseExpandColumns(question.expand_columns)
  return question.return_expanded_column_values === false ? [] : paths
}

/** Tables that a plan reads. */
export const tablesOf = (plan: CallsPlan): string[] => [
  callsTable.name,
  ...(plan.output.costs ? [costsTable.name] : []),
  ...(readsFeedback(plan) ? [feedbackTable.name] : []),
  ...(readsQueues(plan) ? [queuesTable.name, queueItemsTable.name] : []),
]

function feedbackRelation(snapshot: Snapshot, projectId: string, callIds: readonly string[] | null | undefined) {
  const anyOf = new Map(callIds && callIds.length > 0 ? [['call_id', callIds] as const] : [])
  return snapshot.relation(feedbackTable.name, { projectId, anyOf })
}

/** The files and hot tables that a plan has to look at. */
export function relationsOf(snapshot: Snapshot, plan: CallsPlan, filter: CallsFilter | null | undefined): Relations {
  const { projectId } = plan
  const anyOf = new Map<string, readonly string[]>()
  const lists = [
    ['id', filter?.call_ids],
    ['trace_id', filter?.trace_ids],
    ['parent_id', filter?.parent_ids],
  ] as const
  for (const [column, values] of lists) if (values && values.length > 0) anyOf.set(column, values)
  return {
    calls: snapshot.relation(callsTable.name, { projectId, anyOf }),
    traces: snapshot.relation(callsTable.name, { projectId }),
    feedback: readsFeedback(plan) ? feedbackRelation(snapshot, projectId, filter?.call_ids) : undefined,
    queues: readsQueues(plan) ? queueRelations(snapshot, projectId) : undefined,
  }
}

const queueRelations = (snapshot: Snapshot, projectId: string): QueueRelations => ({
  queues: snapshot.relation(queuesTable.name, { projectId }),
  items: snapshot.relation(queueItemsTable.name, { projectId }),
})
