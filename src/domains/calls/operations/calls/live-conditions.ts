import { Value } from '@sinclair/typebox/value'
import { inNeutralNames } from '../../../../formats/dialect/names.ts'
import { CallsFilter } from '../../../../formats/schemas/calls.ts'
import { parseExactly } from '../../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../../lib/errors.ts'
import { isJsonObject } from '../../../../lib/json-value.ts'
import type { CallsPlan } from '../../../../query/calls-plan.ts'
import type { ProjectReader } from '../../../access/caller.ts'
import { type CallStatus, callStatuses } from '../../live/live-call.ts'
import { planRows } from '../../plan.ts'

/** The statuses in a comma-separated list. @throws DomainError InvalidRequest for an unknown one */
export function statusesIn(text: string | undefined): ReadonlySet<CallStatus> | undefined {
  if (!text) return undefined
  const asked = text.split(',').map((status) => status.trim())
  const unknown = asked.find((status) => !callStatuses.some((known) => known === status))
  if (unknown === undefined) return new Set(asked as CallStatus[])
  throw new DomainError(
    'InvalidRequest',
    `Read statuses: unknown status ${quoted(unknown)}; use ${callStatuses.join(', ')}`,
  )
}

/**
 * The conditions of a live tail, which are JSON texts in its query string.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented; ValidationError
 */
export function conditionsIn(
  reader: ProjectReader,
  texts: { readonly filter?: string; readonly query?: string },
): CallsPlan | undefined {
  if (!texts.filter && !texts.query) return undefined
  const filter = texts.filter ? filterIn(texts.filter) : undefined
  return planRows(reader, { filter, query: texts.query ? jsonIn('query', texts.query) : undefined })
}

/** The filter in a query string, which is renamed here because the codec sees only a text. */
function filterIn(text: string): CallsFilter {
  const sent = jsonIn('filter', text)
  const filter = isJsonObject(sent) ? inNeutralNames(sent) : sent
  if (Value.Check(CallsFilter, filter)) return filter
  const [first] = Value.Errors(CallsFilter, filter)
  throw new DomainError('InvalidRequest', `Invalid filter${first?.path.replaceAll('/', '.') ?? ''}: ${first?.message}`)
}

/** Numbers that JavaScript would round are kept. */
function jsonIn(parameter: string, text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    throw new DomainError('InvalidRequest', `Read ${parameter}: ${quoted(text)} is not JSON`)
  }
}
