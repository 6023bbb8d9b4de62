import { DomainError } from '../../errors.ts'
import { checkId, checkThreadName, isWithin, requireId } from '../../kernel/ids.ts'
import { storedSummary } from '../../kernel/own-summary.ts'
import { isOpRef, startsLikeRef } from '../../kernel/ref.ts'
import { storedJson } from '../../kernel/stored-json.ts'
import type { Cell, Row } from '../../kernel/table.ts'
import { parseTime } from '../../kernel/time.ts'
import { limits } from '../../limits.ts'
import type { CallIds, CompletedCall, EndedCall, StartedCall } from '../../model/calls.ts'
import { newId } from '../../platform/new-id.ts'
import { at, callsTable } from '../../tables/calls-table.ts'
import type { ContentSink } from './contents.ts'
import { walkPayload } from './redact.ts'

export interface PartOptions {
  readonly redact: boolean
  /** Id of the API key; stored as `ext_user_id`. */
  readonly userId: string
  readonly nowMs: number
  /** Takes contents out of inputs and output that are to be files; undefined where they stay. */
  readonly contents: ContentSink | undefined
}

/** The row part of a start. Missing ids are generated (UUIDv7, RFC 9562). @throws DomainError InvalidRequest, InvalidField */
export function startPart(start: StartedCall, projectId: string, options: PartOptions): { part: Row; ids: CallIds } {
  const ids = { id: checkId('id', start.id) ?? newId(), trace_id: checkId('trace_id', start.trace_id) ?? newId() }
  const part = emptyPart(projectId, ids.id, options)
  fillStart(part, start, ids.trace_id, options)
  return { part, ids }
}

/** The row part of an end. @throws DomainError InvalidRequest, InvalidField */
export function endPart(end: EndedCall, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('id', end.id), options)
  checkId('trace_id', end.trace_id)
  fillEnd(part, end, options)
  return part
}

/** Both parts at once. @throws DomainError InvalidRequest, InvalidField */
export function completePart(call: CompletedCall, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('id', call.id), options)
  fillStart(part, call, requireId('trace_id', call.trace_id), options)
  fillEnd(part, call, options)
  return part
}

/** A call that was made from a span: whole, or still running. `dump` gives the span as JSON text. @throws DomainError InvalidRequest */
export function spanPart(
  call: StartedCall | CompletedCall,
  dump: () => string,
  projectId: string,
  options: PartOptions,
): Row {
  const part = 'ended_at' in call ? completePart(call, projectId, options) : startPart(call, projectId, options).part
  part[at['otel_dump']!] = dump()
  return part
}

/** A new display name; an empty one clears it. @throws DomainError InvalidRequest, InvalidField */
export function displayNamePart(id: string, projectId: string, displayName: string, options: PartOptions): Row {
  const part = emptyPart(projectId, requireId('call_id', id), options)
  part[at['display_name']!] = checkDisplayName(displayName)
  return part
}

/** The turn that a call belongs to, as it turned out later. */
export function turnPart(id: string, projectId: string, turnId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, id, options)
  part[at['turn_id']!] = turnId
  return part
}

/** Marks a call as deleted. */
export function deletionPart(id: string, projectId: string, options: PartOptions): Row {
  const part = emptyPart(projectId, id, options)
  part[at['deleted_at']!] = options.nowMs * 1000
  return part
}

const noCells: readonly Cell[] = new Array<Cell>(callsTable.columns.length).fill(null)

function emptyPart(projectId: string, id: string, { nowMs }: PartOptions): Row {
  const part = noCells.slice()
  part[at['project_id']!] = projectId
  part[at['id']!] = id
  part[at['written_at']!] = nowMs * 1000
  return part
}

function fillStart(
  part: Row,
  start: StartedCall | CompletedCall,
  traceId: string,
  { redact, userId, contents }: PartOptions,
): void {
  const refs = new Set<string>()
  walkPayload(start.inputs, { redact, refs, contents })
  walkPayload(start.attributes, { redact, refs: undefined, contents: undefined })
  part[at['trace_id']!] = traceId
  part[at['parent_id']!] = checkId('parent_id', start.parent_id)
  part[at['thread_id']!] = checkThreadName('thread_id', start.thread_id)
  part[at['turn_id']!] = checkThreadName('turn_id', start.turn_id)
  part[at['op_name']!] = checkOpName(start.op_name)
  part[at['display_name']!] = start.display_name == null ? null : checkDisplayName(start.display_name)
  part[at['started_at']!] = parseTime(start.started_at) ?? invalidTime('started_at')
  part[at['attributes']!] = storedJson(start.attributes)
  part[at['inputs']!] = storedJson(start.inputs)
  part[at['input_refs']!] = refs.size === 0 ? null : [...refs]
  part[at['otel_dump']!] = start.otel_dump == null ? null : JSON.stringify(start.otel_dump)
  part[at['ext_user_id']!] = userId
  part[at['ext_run_id']!] = checkText('ext_run_id', start.ext_run_id)
  part[at['ext_run_step']!] = checkStep('ext_run_step', start.ext_run_step)
}

function fillEnd(part: Row, end: EndedCall | CompletedCall, { contents }: PartOptions): void {
  part[at['ended_at']!] = parseTime(end.ended_at) ?? invalidTime('ended_at')
  part[at['exception']!] = end.exception ?? null
  part[at['summary']!] = storedSummary(end.summary)
  part[at['ext_run_step_end']!] = checkStep('ext_run_step_end', end.ext_run_step_end)
  if (end.output === undefined || end.output === null) return
  const refs = new Set<string>()
  // A bare text output can be a ref or a content itself.
  const output = [end.output]
  walkPayload(output, { redact: false, refs, contents })
  part[at['output']!] = storedJson(output[0])
  part[at['output_refs']!] = refs.size === 0 ? null : [...refs]
}

function checkText(member: string, text: string | null | undefined): string | null {
  if (text == null) return null
  if (text.length === 0 || text.length > limits.opNameCharsMax) {
    throw invalid(`Read ${member}: it is 1 to ${limits.opNameCharsMax} characters long`)
  }
  return text
}

/** Refs of ops that are known to be right: they repeat from call to call. */
const knownOpRefs = new Set<string>()
const knownOpRefsMax = 10_000

function checkOpName(name: string): string {
  if (knownOpRefs.has(name)) return name
  if (startsLikeRef(name)) {
    if (name.length <= limits.opNameCharsMax && isOpRef(name)) {
      // The bound keeps clients that make up names from filling memory.
      if (knownOpRefs.size >= knownOpRefsMax) knownOpRefs.clear()
      knownOpRefs.add(name)
      return name
    }
    throw invalid(`Read op_name "${name.slice(0, 80)}": it starts like a ref and is not the ref of an op`)
  }
  if (name.length > 0 && isWithin(name, limits.idCharsMax)) return name
  throw invalid(`Read op_name "${name.slice(0, 80)}": a plain name is 1 to ${limits.idCharsMax} characters long`)
}

function checkDisplayName(name: string): string {
  if (!isWithin(name, limits.displayNameCharsMax)) {
    throw invalid(`Read display_name: it is longer than ${limits.displayNameCharsMax} characters`)
  }
  return name
}

function checkStep(member: string, step: number | null | undefined): number | null {
  if (step == null) return null
  if (step < 0 || !Number.isSafeInteger(step))
    throw invalid(`Read ${member} ${step}: a step is an integer of 0 or more`)
  return step
}

function invalidTime(member: string): never {
  throw invalid(`Read ${member}: it is not a time`)
}

const invalid = (message: string) => new DomainError('InvalidRequest', message)
