import { Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { failedStatus, isFailed } from '../../../lib/failed-calls.ts'
import { anyOf, compares, contains, equals } from '../../../query/grammar.ts'
import { text, time } from './arguments.ts'

/** Arguments that choose calls. */
export const conditionArguments = {
  op: text('Only calls of this op'),
  status: Type.Optional(
    Type.Union(
      (['success', failedStatus, 'error', 'descendant_error', 'running'] as const).map((one) => Type.Literal(one)),
      {
        description:
          '`error`: the call itself failed; `descendant_error`: a call below did; `failed`: either, ended or not',
      },
    ),
  ),
  trace_id: text('Only calls of this trace'),
  thread_id: text('Only calls of this conversation'),
  roots_only: Type.Optional(Type.Boolean({ description: 'Only the roots of traces' })),
  since: time('Only calls that started at or after this time'),
  until: time('Only calls that started before this time'),
  query: Type.Optional(
    Type.Unknown({
      description:
        'Further condition in the query language, for example {"$expr": {"$eq": [{"$getField": "output.reward"}, ' +
        '{"$literal": 0}]}}. `search_docs "query language"` explains it',
    }),
  ),
}

interface Conditions {
  readonly op?: string | undefined
  readonly status?: string | undefined
  readonly trace_id?: string | undefined
  readonly thread_id?: string | undefined
  readonly roots_only?: boolean | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly query?: unknown
}

/**
 * Those conditions as filter and query of an operation. @throws DomainError InvalidRequest for a
 * `query` that is not an object
 */
export function conditionsOf({ op, status, trace_id, thread_id, roots_only, since, until, query }: Conditions) {
  const parts: unknown[] = []
  // Names of SDK ops are refs, which contain the name.
  if (op !== undefined) parts.push(anyOf(equals('op_name', op), contains('op_name', `/op/${op}:`)))
  if (status === failedStatus) parts.push(isFailed)
  else if (status !== undefined) parts.push(equals('summary.ext.status', status))
  if (since !== undefined) parts.push(compares('started_at', '$gte', since))
  if (until !== undefined) parts.push(compares('started_at', '$lt', until))
  if (query !== undefined && query !== null) parts.push(expressionIn(query))
  return {
    filter: {
      ...(trace_id !== undefined && { trace_ids: [trace_id] }),
      ...(thread_id !== undefined && { thread_ids: [thread_id] }),
      ...(roots_only === true && { trace_roots_only: true }),
    },
    ...(parts.length > 0 && { query: { $expr: parts.length === 1 ? parts[0] : { $and: parts } } }),
  }
}

/** Some clients send objects as JSON text. */
function expressionIn(query: unknown): unknown {
  const parsed = typeof query === 'string' ? parsedOr(query) : query
  if (typeof parsed === 'object' && parsed !== null && '$expr' in parsed) return parsed.$expr
  throw new DomainError('InvalidRequest', '`query` must be an object with the member `$expr`')
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
