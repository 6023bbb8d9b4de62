import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Nullable } from '../../formats/schemas/members.ts'
import { DomainError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Calls } from '../calls/index.ts'
import type { SharedLink } from './shared-links.ts'

/** A request of a visitor, exactly as its operation will get it. */
export interface SharedRead {
  readonly params: unknown
  readonly body: unknown
}

/** A place in the shared trace: what a request must be about. */
interface SharedTrace {
  readonly reader: ProjectReader
  readonly traceId: string
}

/** Nothing but these members: one that is not known here could widen what is read. */
const Only = <P extends TProperties>(members: P) => Type.Object(members, { additionalProperties: false })

const Text = Type.String({ maxLength: 1024 })

const TraceRead = Only({
  project_id: Text,
  trace_id: Text,
  parent_id: Nullable(Text),
  depth: Nullable(Type.Integer()),
  since: Nullable(Text),
  limit: Nullable(Type.Integer()),
})

const MessagesRead = Only({ project_id: Text, call_id: Text })

const ValueRead = Only({
  project_id: Text,
  call_id: Text,
  path: Type.Union([Text, Type.Array(Text)]),
  offset: Nullable(Type.Integer()),
  length: Nullable(Type.Integer()),
})

/** A member that the request may state, and the server adds, without effect. */
const Off = Type.Optional(Type.Literal(false))

/** Refs are not expanded: they lead out of the trace. */
const CallsRead = Only({
  project_id: Text,
  filter: Only({
    call_ids: Type.Array(Text, { minItems: 1, maxItems: requestLimits.sharedCallsMax }),
    trace_ids: Nullable(Type.Array(Text)),
  }),
  columns: Nullable(Type.Array(Text)),
  omit_null: Nullable(Type.Boolean()),
  include_costs: Nullable(Type.Boolean()),
  include_feedback: Off,
  include_storage_size: Off,
  include_total_storage_size: Off,
  include_usernames: Off,
  return_expanded_column_values: Type.Optional(Type.Literal(true)),
})

const FeedbackRead = Only({
  project_id: Text,
  query: Only({
    $expr: Only({ $eq: Type.Tuple([Only({ $getField: Type.Literal('ext_ref') }), Only({ $literal: Text })]) }),
  }),
  fields: Nullable(Type.Array(Text)),
  limit: Nullable(Type.Integer()),
})

const FileRead = Only({ entity: Text, project: Text, digest: Type.String({ minLength: 16, maxLength: 128 }) })

/**
 * What visitors of a link may ask, and how each request is held to the trace of the link. An
 * operation that is not here is refused; so is a request with a member that is not described here.
 */
export class SharedReads {
  private readonly calls: Calls

  constructor({ calls }: { readonly calls: Calls }) {
    this.calls = calls
  }

  /** Whether visitors may ask this operation anything. */
  allows(operationId: string | undefined): boolean {
    return operationId !== undefined && Object.hasOwn(this.rules, operationId)
  }

  /** @throws DomainError Forbidden unless the request reads the link's trace, and nothing else */
  async require(operationId: string, link: SharedLink, reader: ProjectReader, request: SharedRead): Promise<void> {
    const rule = this.allows(operationId) ? this.rules[operationId] : undefined
    const isInTrace = await rule?.(request, { reader, traceId: link.trace_id })
    if (isInTrace !== true) throw outsideOfTrace()
  }

  /** By the id of the operation. */
  private readonly rules: Readonly<
    Record<string, (request: SharedRead, trace: SharedTrace) => boolean | Promise<boolean>>
  > = {
    'traces.read': ({ body }, { reader, traceId }) =>
      Value.Check(TraceRead, body) && body.project_id === reader.projectId && body.trace_id === traceId,
    'calls.messages': ({ body }, trace) => Value.Check(MessagesRead, body) && this.isOf(trace, body, [body.call_id]),
    'calls.value': ({ body }, trace) => Value.Check(ValueRead, body) && this.isOf(trace, body, [body.call_id]),
    'calls.streamQuery': ({ body }, trace) =>
      Value.Check(CallsRead, body) && this.isOf(trace, body, body.filter.call_ids),
    'feedback.query': ({ body }, trace) => {
      if (!Value.Check(FeedbackRead, body)) return false
      const callId = callOf(body, trace.reader.projectId)
      return callId !== undefined && this.isOf(trace, body, [callId])
    },
    'files.show': ({ params }, trace) =>
      Value.Check(FileRead, params) &&
      `${params.entity}/${params.project}` === trace.reader.projectId &&
      this.isNamed(trace, params.digest),
  }

  /** Whether a request is about the project of the trace, and about calls of the trace alone. */
  private async isOf(
    { reader, traceId }: SharedTrace,
    { project_id }: { readonly project_id: string },
    callIds: readonly string[],
  ): Promise<boolean> {
    if (project_id !== reader.projectId) return false
    const ids = [...new Set(callIds)]
    const { count } = await this.calls.reader.stats(reader, { filter: { call_ids: ids, trace_ids: [traceId] } })
    return count === ids.length
  }

  /** Whether a call of the trace names a file in what was sent for it. */
  private async isNamed({ reader, traceId }: SharedTrace, digest: string): Promise<boolean> {
    const named = ['inputs', 'output', 'attributes', 'summary'].map((member) => ({
      $contains: { input: { $getField: member }, substr: { $literal: digest } },
    }))
    const request = { filter: { trace_ids: [traceId] }, query: { $expr: { $or: named } }, limit: 1 }
    return (await this.calls.reader.stats(reader, request)).count > 0
  }
}

/** The call that a request for feedback is about; undefined if it is not one of the project. */
function callOf({ query }: Static<typeof FeedbackRead>, projectId: string): string | undefined {
  const ref = query.$expr.$eq[1].$literal
  const prefix = `ext:///${projectId}/call/`
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined
}

/** The error for a visitor who asks for anything but the trace. */
export const outsideOfTrace = (): DomainError =>
  new DomainError('Forbidden', 'This link gives access to one trace and to nothing else')
