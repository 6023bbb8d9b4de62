import { toVendorName } from '../dialect/names.ts'
import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import { Call } from '../model/calls.ts'
import { parseFieldPath } from './field-path.ts'
import { didYouMean } from './suggestion.ts'

export type CallMember = keyof Call

/** Top-level members of a call, in the order in which they are written. */
export const callMembers = Object.keys(Call.properties) as readonly CallMember[]

/** Members by every accepted spelling: neutral, the vendor's, and its older one of a JSON member (`inputs_dump`). */
const members: ReadonlyMap<string, CallMember> = new Map(
  callMembers.flatMap((member) =>
    [member, toVendorName(member), `${member}_dump`].map((spelling): [string, CallMember] => [spelling, member]),
  ),
)
const always: readonly CallMember[] = ['id', 'project_id', 'trace_id', 'op_name', 'started_at']

/** A column as it was asked for: the whole member, and for tables (CSV) the value inside it. */
export interface AskedColumn {
  readonly name: string
  readonly member: CallMember
  readonly path: readonly string[]
}

/**
 * Reads `columns`.
 *
 * @returns undefined where all are wanted
 * @throws DomainError InvalidField naming the column and the nearest known one
 */
export function parseColumns(columns: readonly string[] | null | undefined): AskedColumn[] | undefined {
  if (columns === null || columns === undefined) return undefined
  if (columns.length > limits.columnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Read columns: ${columns.length} are more than the ${limits.columnsMax} allowed`,
    )
  }
  return columns.map((name) => {
    const [first, ...path] = parseFieldPath(name) as [string, ...string[]]
    const member = members.get(first)
    if (member === undefined) {
      const message = `Read the column "${name}": unknown column${didYouMean(first, callMembers)}`
      throw new DomainError('InvalidField', message, { extras: { field: name } })
    }
    return { name, member, path }
  })
}

/**
 * Members whose values are read for `asked`; the rest is written as null, or `{}` for attributes and inputs. Costs stand in the summary,
 * and mean nothing without the rest of it.
 */
export function selectedMembers(
  asked: readonly AskedColumn[] | undefined,
  { costs }: { readonly costs: boolean },
): ReadonlySet<CallMember> {
  if (asked === undefined) return new Set(callMembers)
  const selected = new Set<CallMember>([...always, ...asked.map((column) => column.member)])
  if (costs) selected.add('summary')
  // Derived values of the summary are right only with these.
  if (selected.has('summary'))
    for (const member of ['ended_at', 'exception', 'display_name'] as const) selected.add(member)
  return selected
}

/**
 * Reads `expand_columns`: paths at which refs are to be replaced, from the shallow to the deep.
 *
 * @throws DomainError InvalidField for a column that is not there, InvalidRequest where there are too many
 */
export function parseExpandColumns(columns: readonly string[] | null | undefined): (readonly string[])[] {
  const asked = columns ?? []
  if (asked.length > limits.expandColumnsMax) {
    throw new DomainError(
      'InvalidRequest',
      `Read expand_columns: ${asked.length} are more than the ${limits.expandColumnsMax} allowed`,
    )
  }
  const paths = (parseColumns(asked) ?? []).map(({ member, path }) => [member, ...path])
  return paths.sort((a, b) => a.length - b.length)
}
