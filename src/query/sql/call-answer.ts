import { ownMembersStart } from '../../formats/dialect/spellings.ts'
import { type OutputMember, type OutputOptions, type OutputType, previewed } from '../call-output.ts'
import type { CallMember } from '../columns.ts'
import {
  asJson,
  type CallCells,
  type CallValue,
  type ComputedMember,
  choose,
  column,
  daysAfter,
  equals,
  exceptFor,
  feedbackEntries,
  ifAny,
  isNull,
  joined,
  lookedUp,
  nothing,
  orElse,
  type SummaryCells,
  span,
  startsWith,
  traceBytes,
  without,
} from './call-value.ts'
import { Parameters } from './parameters.ts'

/*
 * What the members of a call hold as the API answers it. `call-columns.ts` writes them. See
 * docs/decisions/222-one-description-of-a-call.md.
 */

/** A value of a call in an answer. */
export interface AnswerColumn {
  readonly name: string
  readonly type: OutputType
  readonly value: CallValue<CallCells>
  /** Omitted from JSON if it is null. */
  readonly optional?: true
}

/** Null as each type, in SQL. */
export const nulls: Readonly<Record<OutputType, CallValue<unknown, null>>> = {
  text: nothing('NULL'),
  json: nothing('NULL'),
  time: nothing('NULL::TIMESTAMPTZ'),
  integer: nothing('NULL::BIGINT'),
}

/** An empty text means that the name was cleared. */
export const displayName = exceptFor(column('display_name'), '')

/** An empty text means that the call is no turn any more. */
export const turnId = exceptFor(column('turn_id'), '')

const emptyObject = '{}'
const attributes = orElse(column('attributes'), emptyObject)

/** A JSON object without its opening brace, behind members and what ends them. */
const afterMembers = <Row>(end: '' | '}', object: CallValue<Row, string>): CallValue<Row, string> =>
  choose(equals(object, emptyObject), `${end}}`, joined(`${end},`, without('{', object)))

/** What callers sent, as JSON text. */
export const payloadValues = {
  /** Including the OpenTelemetry span of calls made from one. */
  attributes: choose<CallCells, string>(
    isNull(column('otel_dump')),
    attributes,
    joined<CallCells>('{"otel_span":', span, afterMembers('', attributes)),
  ),
  inputs: orElse(column('inputs'), emptyObject),
  output: orElse(column('output'), 'null'),
  summary: orElse(column('summary'), emptyObject),
} as const

/** The server's own members of a summary. */
const ownMembers: readonly CallValue<SummaryCells, string>[] = [
  joined('"status":"', column('status'), '"'),
  ifAny(',"latency_ms":', column('latency_ms')),
  choose(isNull(displayName), ',"trace_name":', ',"display_name":'),
  asJson(column('trace_name')),
  ifAny(',"error_inside":', exceptFor(column('error_inside'), 'null')),
]

/** The client's members of a summary, behind the server's own ones. */
const clientMembers = choose(
  startsWith(payloadValues.summary, ownMembersStart),
  joined(',', without(ownMembersStart, payloadValues.summary)),
  afterMembers('}', payloadValues.summary),
)

type SummaryOptions = Pick<OutputOptions, 'namespace' | 'selected' | 'feedback'>

interface SummaryParts {
  readonly head: CallValue<SummaryCells, string>
  readonly tail: CallValue<SummaryCells, string>
}

/**
 * The summary with the server's own members first, before those that the client has set. In two
 * parts; more members of the server can be inserted between them.
 *
 * @param namespace the member with the server's own, as the dialect spells it
 */
export function summaryParts({ namespace, selected, feedback }: SummaryOptions): SummaryParts {
  const head = joined(`{"${namespace}":{`, ...ownMembers)
  const entries = feedback ? [',"feedback":[', orElse(feedbackEntries, ''), ']'] : []
  return { head, tail: joined<SummaryCells>(...entries, selected.has('summary') ? clientMembers : '}}') }
}

const summary = (options: SummaryOptions): CallValue<SummaryCells, string> => {
  const { head, tail } = summaryParts(options)
  return joined(head, tail)
}

const wholeSummary: ReadonlySet<CallMember> = new Set(['summary'])

/** The summary of a call whose row is at hand, as JSON text. */
export const answeredSummary = (row: SummaryCells, { namespace }: Pick<OutputOptions, 'namespace'>): string =>
  summary({ namespace, selected: wholeSummary }).of(row)

type ValueOf = (options: OutputOptions, parameters: Parameters) => CallValue<CallCells>

/** Members that no column of their name holds. */
export const computedMembers: Readonly<Record<ComputedMember, { readonly type: OutputType; readonly value: ValueOf }>> =
  {
    ext_username: {
      type: 'text',
      value: ({ usernames = new Map() }, parameters) => lookedUp(column('ext_user_id'), usernames, parameters),
    },
    deleted_at: { type: 'time', value: () => nulls.time },
    expire_at: {
      type: 'time',
      value: ({ retentionDays }) =>
        retentionDays === undefined ? nulls.time : daysAfter(column('started_at'), retentionDays),
    },
    storage_size_bytes: { type: 'integer', value: () => column('payload_bytes') },
    total_storage_size_bytes: {
      type: 'integer',
      value: () => choose<CallCells, number | null>(isNull(column('parent_id')), traceBytes, null),
    },
  }

/** Members that are answered in another form than they are stored. */
const changedMembers: ReadonlyMap<CallMember, ValueOf> = new Map<CallMember, ValueOf>([
  ['display_name', () => displayName],
  ['turn_id', () => turnId],
  ['attributes', () => payloadValues.attributes],
  ['inputs', () => payloadValues.inputs],
  ['summary', summary],
])

/** What a member holds that is not requested, unless that is null. */
const emptyMembers: ReadonlyMap<CallMember, CallValue<unknown, string>> = new Map([
  ['attributes', joined(emptyObject)],
  ['inputs', joined(emptyObject)],
])

const isComputed = (name: CallMember): name is ComputedMember => name in computedMembers

/** What a member holds in an answer. */
function memberValue(
  { name, type }: OutputMember,
  options: OutputOptions,
  parameters: Parameters,
): CallValue<CallCells> {
  if (!isAsked(name, options)) return emptyMembers.get(name) ?? nulls[type]
  if (isComputed(name)) return computedMembers[name].value(options, parameters)
  return changedMembers.get(name)?.(options, parameters) ?? column(name)
}

/** Whether a member may have a value in the answer. */
function isAsked(name: CallMember, options: OutputOptions): boolean {
  const { selected, usernames, omitNull = false } = options
  switch (name) {
    case 'summary':
      return true
    case 'storage_size_bytes':
      return options.storageSize
    case 'total_storage_size_bytes':
      return options.totalStorageSize
    case 'ext_username':
      return usernames !== undefined
    case 'ext_user_id':
      return selected.has(name) || (usernames !== undefined && !omitNull)
    default:
      return selected.has(name)
  }
}

/** Members that every call has. */
const always: ReadonlySet<string> = new Set(['id', 'project_id', 'trace_id', 'op_name', 'started_at', 'summary'])

/** All members of a call in the order of the answer. */
export function answerColumns(options: OutputOptions, parameters: Parameters): AnswerColumn[] {
  const { usernames, omitNull = false } = options
  return options.members.flatMap((member): AnswerColumn[] => {
    const { name, type } = member
    if (name === 'ext_username' && usernames === undefined) return []
    if (omitNull && !isAsked(name, options)) return []
    const column = { name: options.nameOf(name), type, value: memberValue(member, options, parameters) }
    return [name === 'ext_username' || (omitNull && !always.has(name)) ? { ...column, optional: true } : column]
  })
}

/** The stored columns that an answer reads. */
export function columnsRead(options: OutputOptions): string[] {
  const columns = answerColumns(options, new Parameters())
  return [
    ...new Set([
      // Joins and the order of rows.
      ...['id', 'trace_id', 'parent_id', 'started_at'],
      ...columns.flatMap(({ value }) => value.reads),
      ...(options.costs ? ['summary'] : []),
      ...(options.previewChars === undefined ? [] : previewed),
    ]),
  ]
}
