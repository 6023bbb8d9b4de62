import { type Static, Type } from '@sinclair/typebox'
import { ProjectId } from '../../lib/project-id.ts'
import { Time, TimeText } from '../../lib/time.ts'
import { Nullable, NullableInteger, NullableNumber, NullableText, NullableTime, OpenObject } from './members.ts'

/** Kind of a call, as far as it is known. */
const callKinds = [
  'agent',
  'llm',
  'tool',
  'retrieval',
  'embedding',
  'rerank',
  'guardrail',
  'evaluation',
  'scorer',
  'function',
  'chain',
  'request',
  'media',
  'person',
] as const
export type CallKind = (typeof callKinds)[number]

/** Which calls of a trace to return. */
export const TraceRequest = OpenObject({
  project_id: ProjectId,
  trace_id: Type.String(),
  parent_id: Nullable(Type.String({ description: 'Only the descendants of this call' })),
  depth: Nullable(
    Type.Integer({ minimum: 1, description: 'Number of levels: 1 for the roots, or for the children of `parent_id`' }),
  ),
  since: Nullable(
    Type.Union([Time], {
      description:
        'Only calls that changed at or after this time, and their ancestors. Pass `read_at` of an earlier response',
    }),
  ),
  limit: Nullable(
    Type.Integer({ minimum: 1, maximum: 200_000, default: 20_000, description: 'Maximum number of calls' }),
  ),
})
export type TraceRequest = Static<typeof TraceRequest>

const Texts = Type.Array(Type.String())
const column = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Array(item, { description })

/** The calls of a trace in columns: the values at one position belong to one call. */
export const TraceSkeleton = Type.Object({
  trace_id: Type.String(),
  call_count: Type.Integer({ description: 'Calls of the whole trace; 0 for an unknown trace' }),
  is_complete: Type.Boolean({ description: 'False if `limit` or `depth` has left out calls' }),
  started_at: NullableTime,
  ended_at: Type.Union([TimeText, Type.Null()], { description: 'Null while a root is running' }),
  read_at: Type.Union([TimeText, Type.Null()], { description: 'When the latest of the calls was written' }),
  thread_id: NullableText,
  ops: Type.Array(Type.String(), {
    description: 'Short op names that `op` refers to; for spans, their full names',
  }),
  kinds: Type.Array(Type.Union(callKinds.map((kind) => Type.Literal(kind)))),
  models: Texts,
  statuses: Texts,
  call_ids: column(Type.String(), 'Depth first, siblings by start'),
  parent: column(Type.Integer(), 'Position of the parent; -1 if it is not included'),
  depth: column(Type.Integer(), 'Level in the whole trace: 0 for a root'),
  op: column(Type.Integer(), 'Position in `ops`'),
  kind: column(Type.Integer(), 'Position in `kinds`'),
  status: column(Type.Integer(), 'Position in `statuses`'),
  name: column(NullableText, 'Display name'),
  start_ms: column(Type.Number(), 'Milliseconds since `started_at`'),
  duration_ms: column(NullableNumber, 'Null while the call runs'),
  child_count: column(Type.Integer(), 'Direct children, included or not'),
  descendant_count: column(Type.Integer(), 'All descendants, included or not'),
  model: column(Type.Integer(), 'Position in `models`; -1 without a model'),
  tokens_in: column(NullableInteger, 'Input tokens of the call itself, as its provider counts them'),
  tokens_out: column(NullableInteger, 'Output tokens of the call itself'),
  tokens_cached: column(NullableInteger, 'Input tokens of the call itself that were read from a cache'),
  cost: column(NullableNumber, 'Cost of the call itself in US dollars; null if none of its models has a price'),
  total_tokens: column(
    Type.Number(),
    'Tokens of the call and its descendants. Usage that the call states counts unless a descendant states usage',
  ),
  total_cost: column(NullableNumber, 'Cost of the call and its descendants; null if none of it has a price'),
  is_usage_repeated: column(
    Type.Boolean(),
    'Whether descendants or another call of the trace state the same usage, so that totals leave out that of the call',
  ),
  feedback_count: column(Type.Integer(), 'Feedback on the call'),
  has_error_inside: column(Type.Boolean(), 'Whether a descendant failed'),
})
export type TraceSkeleton = Static<typeof TraceSkeleton>
