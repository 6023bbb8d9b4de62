import { callsTable } from '../../engine/tables/calls-table.ts'
import { isScopeOfAgent } from '../../formats/mapping/agents/agents.ts'
import { type Evaluation, evaluationOf, evaluationResult } from '../../formats/mapping/logs/span-content.ts'
import { groupDump, type Redact, storeSpan } from '../../formats/mapping/spans/span-dump.ts'
import { spanToCall } from '../../formats/mapping/spans/span-to-call.ts'
import { decodeJson } from '../../formats/wire/otlp/decode-json.ts'
import { decodeProtobuf } from '../../formats/wire/otlp/decode-protobuf.ts'
import { type Span, type SpanGroup, type SpanIdentity, SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { countTokens } from '../../lib/count-tokens.ts'
import { DomainError } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { Row } from '../../lib/table.ts'
import { cellAt, partAt } from '../../lib/typed-rows.ts'
import { checkItems, RowsBound } from './export-bounds.ts'
import type { OpenCall, StoreSpan } from './parts.ts'
import { redactor } from './redact.ts'

const { at } = callsTable

/** A response of a model whose usage a call states. Times in microseconds since 1970 UTC. */
export interface StatedResponse {
  readonly id: string
  readonly traceId: string
  readonly responseId: string
  readonly startedAt: number
  readonly endedAt: number
}

/** Undefined for a call that states no usage, or names no response. @param part its row */
function statedResponse(call: OpenCall, part: Row): StatedResponse | undefined {
  const responseId = isJsonObject(call.attributes) ? call.attributes['response_id'] : undefined
  if (typeof responseId !== 'string' || responseId === '') return undefined
  const endedAt = partAt(part, at.ended_at)
  if (endedAt === null || !('summary' in call) || !statesTokens(call.summary?.['usage'])) return undefined
  return {
    id: cellAt(part, at.id),
    traceId: cellAt(part, at.trace_id),
    responseId,
    startedAt: cellAt(part, at.started_at),
    endedAt,
  }
}

const statesTokens = (usage: unknown): boolean =>
  isJsonObject(usage) &&
  Object.values(usage).some((figures) => {
    if (!isJsonObject(figures)) return false
    const { prompt, completion, total } = countTokens(figures)
    return prompt + completion + total > 0
  })

/** An export of spans as it was sent, decompressed. */
export interface EncodedSpans {
  readonly bytes: Uint8Array
  readonly encoding: 'protobuf' | 'json'
}

/**
 * The groups of an export; the spans in them are decoded one by one.
 *
 * @throws DomainError InvalidRequest if the export cannot be read; RequestTooLarge for too many
 *   spans
 */
export function decodeSpans({ bytes, encoding }: EncodedSpans): readonly SpanGroup[] {
  const groups = encoding === 'json' ? decodeJson(bytes) : decodeProtobuf(bytes)
  checkItems('spans', countSpans(groups), telemetryLimits.spansPerExportMax)
  return groups
}

export const countSpans = (groups: readonly SpanGroup[]): number =>
  groups.reduce((sum, { spans }) => sum + spans.length, 0)

/** A span as a call. */
interface SpanCall {
  readonly row: Row
  /** Whether the call is a turn of a conversation if no call above belongs to it. */
  readonly mayBeTurn: boolean
}

/** A span that cannot be stored, and why. */
interface RejectedSpan {
  readonly span: SpanIdentity | undefined
  readonly reason: string
}

/** An evaluation of a span: `key` distinguishes it from other evaluations of the span. */
export interface EvaluationOfSpan {
  readonly spanId: string
  readonly key: string
  readonly evaluation: Evaluation
}

/** The calls made of a group of spans of one project. */
export interface GroupCalls {
  readonly calls: readonly SpanCall[]
  /** Whether the group comes from a coding agent, whose sessions count once. */
  readonly isOfAgent: boolean
  /** Calls that state the usage of a response. */
  readonly responses: readonly StatedResponse[]
  readonly evaluations: readonly EvaluationOfSpan[]
  readonly rejected: readonly RejectedSpan[]
}

/**
 * Makes calls of the spans of one export: in a thread, whose result is encoded and sent to the main
 * thread, or in place. See docs/decisions/221-one-way-from-spans-to-calls.md.
 */
export class SpanMapper {
  private readonly redact: Redact
  private readonly bound = new RowsBound('spans')

  /** @param redact whether members that look like secrets are replaced */
  constructor(redact: boolean) {
    this.redact = redactor(redact)
  }

  /**
   * A span that cannot be stored is rejected alone.
   *
   * @param add makes the row of a call and keeps it
   * @throws DomainError RequestTooLarge if the calls of all groups are too large together
   */
  map(group: SpanGroup, projectId: string, add: (call: OpenCall, store: StoreSpan) => Row): GroupCalls {
    const dump = groupDump(group, this.redact)
    const calls: SpanCall[] = []
    const responses: StatedResponse[] = []
    const evaluations: EvaluationOfSpan[] = []
    const rejected: RejectedSpan[] = []
    for (const decode of group.spans) {
      let span: Span | undefined
      try {
        const decoded = decode()
        span = decoded
        const { call, values, mayBeTurn } = spanToCall(decoded, projectId, this.redact)
        const row = add(call, (held) => storeSpan(decoded, values, dump, held, this.redact))
        this.bound.add(row)
        calls.push({ row, mayBeTurn })
        const response = statedResponse(call, row)
        if (response !== undefined) responses.push(response)
        for (const [index, event] of values.events.entries()) {
          const evaluation = event.name === evaluationResult ? evaluationOf(event.attributes) : undefined
          if (evaluation !== undefined) evaluations.push({ spanId: decoded.spanId, key: String(index), evaluation })
        }
      } catch (error) {
        if (!isReason(error)) throw error
        rejected.push({
          span: span ?? (error instanceof SpanUnreadable ? error.span : undefined),
          reason: error.message,
        })
      }
    }
    return { calls, isOfAgent: isScopeOfAgent(group.scope.name), responses, evaluations, rejected }
  }
}

const isReason = (error: unknown): error is Error =>
  error instanceof SpanUnreadable ||
  (error instanceof DomainError && (error.type === 'InvalidRequest' || error.type === 'InvalidField'))
