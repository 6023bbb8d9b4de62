import { allSpellings } from '../../formats/dialect/ref.ts'
import { CallsFilter } from '../../formats/schemas/calls.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { type Catalog, columnField, didYouMean, type Field, resolveField } from '../catalog.ts'
import { all, any, type Expression, fieldOneOf, fieldValue, never } from '../expression.ts'

const equalities = [
  ['parent_ids', 'parent_id'],
  ['trace_ids', 'trace_id'],
  ['call_ids', 'id'],
  ['thread_ids', 'thread_id'],
  ['turn_ids', 'turn_id'],
  ['ext_user_ids', 'ext_user_id'],
] as const

/**
 * The condition of a `CallsFilter`. An absent member restricts nothing, nor does an empty list,
 * except `thread_ids`: no call is in one of no threads.
 *
 * @throws DomainError InvalidField for an unknown member, InvalidRequest for a list of more than
 *   1,000 values (10,000 users)
 */
export function parseCallsFilter(
  filter: CallsFilter | null | undefined,
  projectId: string,
  catalog: Catalog,
): Expression {
  const items: Expression[] = []
  if (!filter) return all(items)
  checkMembers(filter)
  for (const [member, field] of equalities) {
    const values = valuesOf(filter, member)
    if (values.length > 0) items.push(fieldOneOf(resolveField(catalog, field), values))
  }
  if (filter.thread_ids?.length === 0) items.push(never)
  const ops = valuesOf(filter, 'op_names')
  if (ops.length > 0) items.push(opNames(ops))
  for (const member of ['input_refs', 'output_refs'] as const) {
    const refs = valuesOf(filter, member)
    if (refs.length > 0) items.push(refsHeld(columnField(member, 'texts'), refs))
  }
  const runs = valuesOf(filter, 'ext_run_ids')
  if (runs.length > 0) {
    const spellings = runs.flatMap((run) => runSpellings(run, projectId))
    items.push(fieldOneOf(columnField('ext_run_id'), spellings))
  }
  if (filter.trace_roots_only === true) items.push({ kind: 'isNull', value: fieldValue(columnField('parent_id')) })
  return all(items)
}

/** A misspelled member must not return every call. */
function checkMembers(filter: CallsFilter): void {
  const known = Object.keys(CallsFilter.properties)
  for (const member of Object.keys(filter)) {
    if (known.includes(member)) continue
    const message = `Invalid filter.${member}: unknown member${didYouMean(member, known)}`
    throw new DomainError('InvalidField', message, { extras: { field: member } })
  }
}

type ListMember = Exclude<keyof CallsFilter, 'trace_roots_only'>

function valuesOf(filter: CallsFilter, member: ListMember): readonly string[] {
  const values = filter[member] ?? []
  // Users come from a directory, not from a page of calls.
  const valuesMax = member === 'ext_user_ids' ? operationLimits.filterUsersMax : operationLimits.filterValuesMax
  if (values.length > valuesMax) {
    throw new DomainError(
      'InvalidRequest',
      `Invalid filter.${member}: Parameter: '${member}' request length is greater than max length (${valuesMax}). ` +
        `Actual length: ${values.length}`,
    )
  }
  return values
}

function opNames(names: readonly string[]): Expression {
  const field = columnField('op_name')
  const exact = names.filter((name) => !name.endsWith(':*')).flatMap(allSpellings)
  const prefixes = names.filter((name) => name.endsWith(':*')).flatMap((name) => allSpellings(name.slice(0, -1)))
  return any([
    ...(exact.length > 0 ? [fieldOneOf(field, exact)] : []),
    ...prefixes.map((prefix) => ({ kind: 'startsWith', field, prefix }) as const),
  ])
}

function refsHeld(field: Field, refs: readonly string[]): Expression {
  return {
    kind: 'listHolds',
    field,
    texts: refs.filter((ref) => !ref.endsWith(':*')).flatMap(allSpellings),
    prefixes: refs.filter((ref) => ref.endsWith(':*')).flatMap((ref) => allSpellings(ref.slice(0, -1))),
  }
}

/** A run is `entity/project/run`, or just the run for the queried project; either may be stored. */
function runSpellings(run: string, projectId: string): string[] {
  const prefix = `${projectId}/`
  return run.startsWith(prefix) ? [run, run.slice(prefix.length)] : [run, prefix + run]
}
