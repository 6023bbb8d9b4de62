import { checkDisplayName } from '../../engine/tables/call-members.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { type CheckedMembers, fillMembers, membersFrom } from '../../engine/tables/members.ts'
import { storedSummary } from '../../formats/dialect/spellings.ts'
import type { HeldCells, StoredSpan } from '../../formats/mapping/spans/span-dump.ts'
import type { CallIds, CompletedCall, EndedCall, StartedCall } from '../../formats/schemas/calls.ts'
import { checkId, requireId } from '../../lib/ids.ts'
import { storedJson } from '../../lib/json-value.ts'
import { wholeSpan } from '../../lib/stored-span.ts'
import type { Cell, Row } from '../../lib/table.ts'
import { cellAt, partAt } from '../../lib/typed-rows.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { ProjectWriter } from '../access/index.ts'
import { type ContentSink, stripLarge } from './contents.ts'
import { walkPayload } from './redact.ts'

export interface PartOptions {
  readonly redact: boolean
  /** Id of the API key; stored as `ext_user_id`. */
  readonly userId: string
  readonly nowMs: number
  /** Extracts content to be stored as files from inputs and output; undefined to keep it inline. */
  readonly contents: ContentSink | undefined
  /** The text that replaces payloads that are too large; undefined to keep them. */
  readonly marker?: string | undefined
}

const { at } = callsTable
const startMembers = membersFrom(callsTable, 'start')
const endMembers = membersFrom(callsTable, 'end')

/**
 * The row part of a start. Missing ids are generated (UUIDv7, RFC 9562). @throws DomainError
 * InvalidRequest, InvalidField
 */
export function startPart(start: StartedCall, projectId: string, options: PartOptions): { part: Row; ids: CallIds } {
  const ids = { id: checkId('id', start.id) ?? newId(), trace_id: checkId('trace_id', start.trace_id) ?? newId() }
  const part = emptyPart(projectId, ids.id, options)
  fillStart(part, start, ids.trace_id, options)
  return { part: fitting(part, options), ids }
}

/** The row part of an end. @throws DomainError InvalidRequest, InvalidField */
export function endPart(end: EndedCall, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('id', end.id), options)
  checkId('trace_id', end.trace_id)
  fillEnd(part, end, options)
  return fitting(part, options)
}

/** Both parts together. @throws DomainError InvalidRequest, InvalidField */
export function completePart(call: Omit<CompletedCall, 'project_id'>, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('id', call.id), options)
  fillStart(part, call, requireId('trace_id', call.trace_id), options)
  fillEnd(part, call, options)
  return fitting(part, options)
}

function fitting(part: Row, { marker }: PartOptions): Row {
  if (marker !== undefined) stripLarge(part, marker)
  return part
}

/**
 * A call whose payload may arrive separately. Undefined members leave the stored values unchanged.
 */
export type OpenCall = Opened<StartedCall> | Opened<CompletedCall>

type Opened<C extends { inputs: unknown }> = Omit<C, 'inputs' | 'summary'> & {
  readonly inputs?: C['inputs'] | undefined
  readonly summary?: CompletedCall['summary'] | undefined
}

/**
 * A completed or running call made from a span or from log records. `store` returns the span beside
 * its call. @throws DomainError InvalidRequest
 */
export function spanPart(call: OpenCall, store: StoreSpan | undefined, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('id', call.id ?? ''), options)
  fillStart(part, call, requireId('trace_id', call.trace_id ?? ''), options)
  if ('ended_at' in call) fillEnd(part, call, options)
  // Log records may say what a span does not.
  if (part[at.inputs] === '{}') part[at.inputs] = null
  if (store !== undefined) fillSpan(part, call, store)
  return part
}

/** Returns a span as it is stored beside what its call holds. */
export type StoreSpan = (held: HeldCells) => StoredSpan

function fillSpan(part: Row, call: OpenCall, store: StoreSpan): void {
  const { dump, group } = store({
    id: cellAt(part, at.id),
    traceId: cellAt(part, at.trace_id),
    parentId: partAt(part, at.parent_id),
    startedAt: cellAt(part, at.started_at),
    endedAt: partAt(part, at.ended_at),
    inputs: partAt(part, at.inputs),
    inputsValue: call.inputs,
    output: partAt(part, at.output),
    outputValue: 'ended_at' in call ? call.output : undefined,
  })
  part[at.otel_dump] = dump
  part[at.otel_group] = group
}

/** A new display name; an empty one clears it. @throws DomainError InvalidRequest, InvalidField */
export function displayNamePart(id: string, projectId: string, displayName: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('call_id', id), options)
  part[at.display_name] = checkDisplayName('display_name', displayName)
  return part
}

/** The turn that a call belongs to, when it becomes known later. */
export function turnPart(id: string, projectId: string, turnId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, id, options)
  part[at.turn_id] = turnId
  return part
}

/** The inputs and the output of a call. Undefined members leave the stored values unchanged. */
export interface CallContent {
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly output?: unknown
}

/** The content of a call that arrives apart from it. */
export function contentPart(id: string, projectId: string, content: CallContent, options: PartOptions): Row {
  const part = emptyPart(projectId, id, options)
  if (content.inputs !== undefined) fillInputs(part, { ...content.inputs }, options)
  if (content.output !== undefined) fillOutput(part, content.output, options)
  return part
}

/** Another call, not below this one, states the same usage. */
export function elsewherePart(id: string, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, id, options)
  part[at.usage_elsewhere] = 1
  return part
}

/**
 * A part that removes a call from the turns, from usage or from both, because other calls describe
 * the same work.
 */
export function discountPart(
  id: string,
  projectId: string,
  { isTurn, hasUsage }: { readonly isTurn: boolean; readonly hasUsage: boolean },
  options: PartOptions,
): Row {
  const part = emptyPart(projectId, id, options)
  if (isTurn) part[at.turn_id] = ''
  if (hasUsage) part[at.summary] = '{}'
  return part
}

/** Marks a call as deleted. */
export const deletionPart = (id: string, projectId: string, { nowMs }: PartOptions): Row =>
  callsTable.tombstone(projectId, id, nowMs * 1000)

const noCells: readonly Cell[] = new Array<Cell>(callsTable.columns.length).fill(null)

function emptyPart(projectId: string, id: string, { nowMs }: PartOptions): Row {
  const part = noCells.slice()
  part[at.project_id] = projectId
  part[at.id] = id
  part[at.written_at] = nowMs * 1000
  return part
}

function fillStart(
  part: Row,
  start: Omit<StartedCall, 'project_id'> | Omit<CompletedCall, 'project_id'> | OpenCall,
  traceId: string,
  { redact, userId, contents }: PartOptions,
): void {
  if (start.inputs !== undefined) fillInputs(part, start.inputs, { redact, contents })
  walkPayload(start.attributes, { redact, refs: undefined, contents: undefined })
  fillMembers(part, startMembers, start satisfies CheckedMembers<typeof callsTable, 'start'>)
  part[at.trace_id] = traceId
  part[at.attributes] = storedJson(start.attributes)
  if (start.otel_dump != null) {
    part[at.otel_dump] = JSON.stringify(start.otel_dump)
    part[at.otel_group] = wholeSpan
  }
  part[at.ext_user_id] = userId
}

function fillEnd(
  part: Row,
  end: EndedCall | Omit<CompletedCall, 'project_id'> | Opened<CompletedCall>,
  { contents }: PartOptions,
): void {
  fillMembers(part, endMembers, end satisfies CheckedMembers<typeof callsTable, 'end'>)
  part[at.summary] = end.summary === undefined ? null : storedSummary(end.summary)
  if (end.output !== undefined && end.output !== null) fillOutput(part, end.output, { contents })
}

function fillInputs(part: Row, inputs: unknown, { redact, contents }: Pick<PartOptions, 'redact' | 'contents'>): void {
  const refs = new Set<string>()
  walkPayload(inputs, { redact, refs, contents })
  part[at.inputs] = storedJson(inputs)
  part[at.input_refs] = refs.size === 0 ? null : [...refs]
}

function fillOutput(part: Row, value: unknown, { contents }: Pick<PartOptions, 'contents'>): void {
  const refs = new Set<string>()
  // A plain text output may be a ref or content itself.
  const output = [value]
  walkPayload(output, { redact: false, refs, contents })
  part[at.output] = storedJson(output[0])
  part[at.output_refs] = refs.size === 0 ? null : [...refs]
}

/** Options shared by all parts that one request writes to one project. */
export type WriteOptions = PartOptions & { readonly writer: ProjectWriter }
