import { spellingsOf } from '../formats/dialect/names.ts'
import { Call } from '../formats/schemas/calls.ts'
import { DomainError } from '../lib/errors.ts'
import { operationLimits } from '../lib/limits/operations.ts'
import { queryLimits } from '../lib/limits/queries.ts'
import { keysOf } from '../lib/present.ts'
import { didYouMean, parseFieldPath } from './catalog.ts'

export type CallMember = keyof Call

/** Top-level members of a call, in the order of the answer. */
export const callMembers = keysOf(Call.properties)

/** Members by every accepted spelling: neutral, the vendor's, and its older one (`inputs_dump`). */
const members: ReadonlyMap<string, CallMember> = new Map(
  callMembers.flatMap((member) =>
    [...spellingsOf(member), `${member}_dump`].map((spelling): [string, CallMember] => [spelling, member]),
  ),
)
const always: readonly CallMember[] = ['id', 'project_id', 'trace_id', 'op_name', 'started_at']

/** A requested column: a whole member or, for tables (CSV), a value inside it. */
export interface AskedColumn {
  readonly name: string
  readonly member: CallMember
  readonly path: readonly string[]
}

/**
 * Parses `columns`.
 *
 * @returns undefined if all columns are requested
 * @throws DomainError InvalidField with the column and the closest known one
 */
export function parseColumns(columns: readonly string[] | null | undefined): AskedColumn[] | undefined {
  if (columns === null || columns === undefined) return undefined
  if (columns.length > operationLimits.columnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid columns: ${columns.length} names, at most ${operationLimits.columnsMax} are allowed`,
    )
  }
  return columns.map((name) => {
    const [first, ...path] = parseFieldPath(name)
    const member = members.get(first)
    if (member === undefined) {
      const message = `Cannot read the column "${name}": unknown column${didYouMean(first, callMembers)}`
      throw new DomainError('InvalidField', message, { extras: { field: name } })
    }
    return { name, member, path }
  })
}

/**
 * The members to read if a request names `asked`. All others are written as null, or as `{}` for
 * attributes and inputs. Costs are part of the summary and meaningless without it; previews stand
 * in for inputs and output that are not requested.
 */
export function selectedMembers(
  asked: readonly AskedColumn[] | undefined,
  { costs, previews }: { readonly costs: boolean; readonly previews: boolean },
): ReadonlySet<CallMember> {
  if (asked === undefined) {
    return new Set(callMembers.filter((member) => !previews || (member !== 'inputs' && member !== 'output')))
  }
  const selected = new Set<CallMember>([...always, ...asked.map((column) => column.member)])
  if (costs) selected.add('summary')
  // Derived values of the summary depend on these.
  if (selected.has('summary'))
    for (const member of ['ended_at', 'exception', 'display_name'] as const) selected.add(member)
  return selected
}

/**
 * Parses `expand_columns`: paths at which refs are replaced, shallow ones first.
 *
 * @throws DomainError InvalidField for an unknown column, InvalidRequest for too many
 */
export function parseExpandColumns(columns: readonly string[] | null | undefined): (readonly string[])[] {
  const asked = columns ?? []
  if (asked.length > queryLimits.expandColumnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid expand_columns: ${asked.length} names, at most ${queryLimits.expandColumnsMax} are allowed`,
    )
  }
  const paths = (parseColumns(asked) ?? []).map(({ member, path }) => [member, ...path])
  return paths.sort((a, b) => a.length - b.length)
}
