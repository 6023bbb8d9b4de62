import type { Call } from '../../formats/schemas/calls.ts'
import { isKeyOf } from '../../lib/present.ts'
import type { ColumnType } from '../../lib/table.ts'
import type { OutputMember, OutputType } from '../../query/call-output.ts'
import { catalogOfCalls, withUsage } from '../../query/calls-catalog.ts'
import { type CallMember, callMembers } from '../../query/columns.ts'
import { isColumn, type SortRules } from '../../query/sort.ts'
import { computedMembers } from '../../query/sql/call-answer.ts'
import { callsTable } from './calls-table.ts'
import { clientColumns } from './define-table.ts'

type Specs = typeof callsTable.specs
/** Columns that are members of a call as it is answered. */
type MemberColumn = keyof {
  [Name in keyof Specs as Specs[Name]['options'] extends { exposed: string } ? never : Name]: unknown
}

const columns = clientColumns(callsTable)

/**
 * The fields that queries over calls may name: every column but those that are only for the server.
 */
export const callsCatalog = catalogOfCalls(
  columns.map((column) => ({ ...column, isSummary: column.exposed === 'summary' })),
)

/** The same with the usage of calls, for queries that are given its prices. */
export const pricedCallsCatalog = withUsage(callsCatalog)

/** Calls: oldest first by default; newest first among equals, unless the start decides. */
export const callsOrder: SortRules = {
  catalog: callsCatalog,
  otherwise: [{ field: 'started_at', direction: 'asc' }],
  tieBreaker: {
    field: 'id',
    direction: (last) => (last !== undefined && isColumn(last.field, 'started_at') ? last.direction : 'desc'),
  },
}

/**
 * Members that no column holds. A member of `Call` that neither a column nor the description of
 * answers holds does not compile.
 */
const computed: Readonly<Record<Exclude<keyof Call, MemberColumn>, { readonly type: OutputType }>> = computedMembers

/**
 * Types of the columns that are members. A column of calls that is neither `exposed` elsewhere nor
 * in `Call` does not compile.
 */
const memberTypes: ReadonlyMap<CallMember, ColumnType> = new Map(
  columns.flatMap(({ name, type, exposed }) => (exposed === undefined ? [[name as MemberColumn, type] as const] : [])),
)

const writtenAs: Readonly<Partial<Record<ColumnType, OutputType>>> = {
  text: 'text',
  json: 'json',
  time: 'time',
  integer: 'integer',
}

/** Members of a call as they are answered, in the order of the schema `Call`. */
export const callOutputMembers: readonly OutputMember[] = callMembers.map((name) => {
  const column = memberTypes.get(name)
  if (column === undefined && isKeyOf(computed, name)) return { name, type: computed[name].type }
  const type = column && writtenAs[column]
  if (type === undefined) throw new Error(`Write calls: no output type matches the column ${name}`)
  return { name, type }
})
