import type { Store } from '../../engine/store.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import { splitRef } from '../../formats/dialect/parsed-ref.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { pick } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { compareTimes } from '../../lib/time.ts'
import type { OutputNames } from '../../query/call-output.ts'
import { anyOf, type Condition, isOneOf } from '../../query/grammar.ts'
import type { ProjectReader } from '../access/index.ts'
import { feedbackRules } from '../feedback/index.ts'
import { TableRows } from '../records/index.ts'
import type { FeedbackOfSpans } from './model/agent-chats.ts'

/** The subject of feedback: a span, the turn of a trace, or a conversation; null if not stated. */
export interface Subject {
  readonly callId: string | null
  readonly traceId: string | null
  readonly conversationId: string | null
}

/** Feedback with what it is about. */
export interface PlacedFeedback {
  readonly subject: Subject
  readonly feedback: FeedbackOfSpans
}

const places = ['ext_ref', 'call_id', 'span_trace_id', 'span_conversation_id'] as const
const answered = [
  'id',
  'feedback_type',
  'ext_ref',
  'payload',
  'creator',
  'created_at',
  'ext_user_id',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
] as const satisfies readonly (keyof FeedbackOfSpans)[]

type Place = Readonly<Record<(typeof places)[number], string | null>>

/** Reads feedback on spans, on the turns of conversations and on conversations. */
export class AgentFeedback {
  private readonly rows: TableRows

  /** @param dialect spells feedback types; members have neutral names */
  constructor({ store, dialect }: { store: Store; dialect: OutputNames }) {
    this.rows = new TableRows({ store, table: feedbackTable, rules: feedbackRules(dialect) })
  }

  /**
   * The feedback on some spans, turns and conversations, oldest first. @throws DomainError
   * InvalidRequest if there is too much
   */
  async about(
    reader: ProjectReader,
    {
      callIds,
      traceIds,
      conversationIds,
    }: Readonly<Record<`${'call' | 'trace' | 'conversation'}Ids`, Iterable<string>>>,
    signal: AbortSignal,
  ): Promise<PlacedFeedback[]> {
    const { projectId } = reader
    const refs = (kind: string, ids: readonly string[]) => ids.flatMap((id) => refsOf(projectId, kind, id))
    const conditions = [
      ...chunks(callIds).map((ids) => isOneOf('call_id', ids)),
      ...chunks(traceIds).map((ids) =>
        anyOf(isOneOf('span_trace_id', ids), isOneOf('ext_ref', refs('agent_turn', ids))),
      ),
      ...chunks(conversationIds).map((ids) =>
        anyOf(isOneOf('span_conversation_id', ids), isOneOf('ext_ref', refs('agent_conversation', ids))),
      ),
    ]
    const found = new Map<string, PlacedFeedback>()
    for (const condition of conditions) {
      const names = [...new Set([...places, ...answered])]
      for (const row of await this.read<FeedbackOfSpans & Place>(reader, names, condition, signal)) {
        found.set(row.id, { subject: subjectOf(row), feedback: pick(row, answered) })
      }
    }
    return [...found.values()].sort(
      ({ feedback: a }, { feedback: b }) => compareTimes(a.created_at, b.created_at) || (a.id < b.id ? -1 : 1),
    )
  }

  /** The subjects of the feedback that meets a condition. @throws as `about` */
  async subjects(reader: ProjectReader, condition: Condition, signal: AbortSignal): Promise<Subject[]> {
    return (await this.read<Place>(reader, places, condition, signal)).map(subjectOf)
  }

  private async read<Row>(
    reader: ProjectReader,
    names: readonly string[],
    condition: Condition,
    signal: AbortSignal,
  ): Promise<Row[]> {
    const max = operationLimits.agentFeedbackMax
    const request = { query: { $expr: condition }, limit: max + 1 }
    const rows: Row[] = []
    for await (const texts of this.rows.texts(reader, names, request, { leftOut: new Map(), signal }))
      for (const text of texts) rows.push(parseExactly(text) as Row)
    if (rows.length <= max) return rows
    throw new DomainError('InvalidRequest', tooMany('feedback entries', rows.length, max, ' per request: narrow it'))
  }
}

/** Values of one `$in`; each may have two spellings. */
const chunkLength = 450

function chunks(values: Iterable<string>): string[][] {
  const all = [...new Set(values)]
  return Array.from({ length: Math.ceil(all.length / chunkLength) }, (_, at) =>
    all.slice(at * chunkLength, (at + 1) * chunkLength),
  )
}

/** Refs of a turn or a conversation, as clients write them. */
const refsOf = (projectId: string, kind: string, id: string): string[] => {
  const base = `ext:///${projectId}/${kind}/`
  return [...new Set([`${base}${id}`, `${base}${encodeURIComponent(id)}`])]
}

function subjectOf({ ext_ref, call_id, span_trace_id, span_conversation_id }: Place): Subject {
  const tail = tailOf(ext_ref ?? '')
  return {
    callId: call_id,
    traceId: span_trace_id || restAfter('agent_turn/', tail),
    conversationId: span_conversation_id || restAfter('agent_conversation/', tail),
  }
}

const restAfter = (start: string, text: string): string | null =>
  text.startsWith(start) ? text.slice(start.length) || null : null

function tailOf(ref: string): string {
  try {
    return decodeURIComponent(splitRef(ref)?.tail ?? '')
  } catch {
    // Feedback may be about anything.
    return ''
  }
}
