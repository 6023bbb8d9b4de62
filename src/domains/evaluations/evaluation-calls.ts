import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { findObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { opShortName } from '../../formats/dialect/ref.ts'
import { ownNamespaces } from '../../formats/dialect/spellings.ts'
import { parseExactly, parseObject } from '../../formats/wire/exact-json.ts'
import { isScoreOp, isTrialOp } from '../../lib/evaluation-ops.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { present } from '../../lib/present.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { allOf, anyOf, type Condition, isOneOf } from '../../query/grammar.ts'
import type { SummaryCells } from '../../query/sql/call-value.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import { type Calls, type CallsRequest, planRows, relationsOf, tablesOf } from '../calls/index.ts'

type Members = Readonly<Record<string, unknown>>

/** A call that may be part of an evaluation. JSON preserves numbers and member order. */
export interface EvaluationCall {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | null
  readonly opName: string
  /** Name inside the op ref, or the plain op name. */
  readonly shortName: string
  /** The server's own member of attributes, in whichever dialect it was written. */
  readonly mark: Members
  readonly inputs: Members
  readonly output: unknown
  /** As sent by the client; null while the call is running. */
  readonly summary: Members | null
  /** The source of the summary in responses, with the server's own members. */
  readonly summarySource: SummaryCells
  /** Microseconds since 1970 UTC. */
  readonly startedAt: number
  readonly endedAt: number | null
  readonly exception: string | null
  readonly userId: string | null
}

const callShape = rowShape({
  id: 'text',
  trace_id: 'text',
  parent_id: 'text?',
  op_name: 'text',
  attributes: 'json?',
  inputs: 'json?',
  output: 'json?',
  summary: 'json?',
  started_at: 'time',
  ended_at: 'time?',
  exception: 'text?',
  ext_user_id: 'text?',
  status: 'text',
  latency_ms: 'number?',
  display_name: 'text?',
  trace_name: 'text',
  error_inside: 'json?',
})

/** Reads the calls of evaluations. */
export class EvaluationCalls {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  async find(reader: ProjectReader, id: string): Promise<EvaluationCall | undefined> {
    const [call] = await this.all(reader, { filter: { call_ids: [id] } })
    return call
  }

  /** All matching calls; for queries with small results. */
  async all(reader: ProjectReader, request: CallsRequest): Promise<EvaluationCall[]> {
    const plan = planRows(reader, request)
    if (plan.limit === 0) return []
    return await this.store.read(tablesOf(plan), reader, async (snapshot) => {
      const rows = await snapshot.rows(await statement(snapshot, plan))
      return rows.map(evaluationCall)
    })
  }

  /**
   * Matching calls, oldest first, in batches of about two thousand. @throws DomainError
   * InvalidRequest for invalid paging
   */
  async *stream(
    reader: ProjectReader,
    request: CallsRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<EvaluationCall[]> {
    const plan = planRows(reader, request)
    if (plan.limit === 0) return
    const { projectId } = reader
    const read = async function* (snapshot: StreamSnapshot) {
      yield* snapshot.rowsInTurn(await statement(snapshot, plan))
    }
    for await (const rows of this.store.stream(tablesOf(plan), { projectId, signal }, read))
      yield rows.map(evaluationCall)
  }
}

async function statement(snapshot: Snapshot, plan: CallsPlan): Promise<Sql<RowOfShape<typeof callShape>>> {
  const { calls: relation } = await relationsOf(snapshot, plan)
  const { projectId, where, sort, limit, offset } = plan
  const { columns } = callShape
  return { ...compilePlanned({ projectId, relation, where, sort, limit, offset, columns }), shape: callShape }
}

function evaluationCall(row: RowOfShape<typeof callShape>): EvaluationCall {
  const { status, latency_ms, display_name, trace_name, error_inside, summary } = row
  return {
    id: row.id,
    traceId: row.trace_id,
    parentId: row.parent_id,
    opName: row.op_name,
    shortName: opShortName(row.op_name),
    mark: markOf(parsed(row.attributes)),
    inputs: membersOf(parsed(row.inputs)),
    output: parsed(row.output),
    summary: row.ended_at === null ? null : membersOf(parsed(summary)),
    summarySource: { status, latency_ms, display_name, trace_name, error_inside, summary },
    startedAt: row.started_at,
    endedAt: row.ended_at,
    exception: row.exception,
    userId: row.ext_user_id,
  }
}

const parsed = (text: string | null): unknown => (text === null ? null : parseExactly(text))

const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {})

/** The server's own member of the attributes of a call, in whichever dialect it was written. */
export const markOfCall = (call: Members): Members => markOf(call['attributes'])

function markOf(attributes: unknown): Members {
  const members = membersOf(attributes)
  // The neutral spelling comes last and therefore wins.
  return Object.assign({}, ...ownNamespaces.toReversed().map((namespace) => membersOf(members[namespace])))
}

/** Some members of a call, its id among them. */
export type CallMembers = Members & { readonly id: string }

/**
 * Members of the calls that match, as they are answered: numbers and the order of members are kept.
 *
 * @param request its columns, if it names any, have `id` among them
 */
export async function* callMembers(
  calls: Calls,
  reader: ProjectReader,
  request: CallsRequest,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<CallMembers> {
  for await (const lines of calls.reader.jsonLines(reader, request, signal)) {
    for (const line of lines) yield membersOfCall(line)
  }
}

/** The same of one call. @param text JSON as the reader of calls answers */
export function membersOfCall(text: string): CallMembers {
  const members = parseObject(text)
  return { ...members, id: present(textIn(members, 'id'), 'The id of a call') }
}

/** A string member, else null. */
export function textIn(members: Members, name: string): string | null {
  const value = members[name]
  return typeof value === 'string' ? value : null
}

/** Role of a call in an evaluation, in the server's own member of its attributes. */
type EvaluationRole = 'evaluation_run' | 'prediction' | 'score'

/**
 * Query condition that the server's own attribute `name` is one of `values`, in whichever dialect
 * it was written.
 */
export const ownAttributeIs = (name: string, values: readonly string[]): Condition =>
  anyOf(...ownNamespaces.map((namespace) => isOneOf(`attributes.${namespace}.${name}`, values)))

/** A query for calls with this role that match all further conditions. */
export const markedQuery = (role: EvaluationRole, ...conditions: readonly Condition[]): { $expr: Condition } => ({
  $expr: allOf(ownAttributeIs(role, ['true']), ...conditions),
})

/** Whether a call is a trial: a prediction for one row with its scores. */
export const isTrial = ({ shortName }: EvaluationCall): boolean => isTrialOp(shortName)

/** Marked as a score, or named like the method of a scorer in an SDK. */
export const isScore = ({ mark, shortName }: EvaluationCall): boolean =>
  mark['score'] === 'true' || isScoreOp(shortName)

/** Name of the scorer, under which a score is reported. */
export function scoreName(call: EvaluationCall): string {
  const scorer = textIn(call.mark, 'scorer')
  const name = scorer === null ? undefined : findObjectRef(scorer)?.name
  return name ?? call.shortName.replace(/\.score$/, '')
}

/** Whether a call is a prediction: marked as one, or traced below a trial and not a score. */
export const isPrediction = (call: EvaluationCall, parent: EvaluationCall | undefined): boolean =>
  call.mark['prediction'] === 'true' || (parent !== undefined && isTrial(parent) && !isScore(call))
