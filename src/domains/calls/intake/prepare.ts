import type { TSchema } from '@sinclair/typebox'
import { hashesOf } from '../../../engine/data-files/file-index-builder.ts'
import { KnownRows } from '../../../engine/lineage/lessons.ts'
import { LineagePass } from '../../../engine/lineage/lineage-pass.ts'
import { rowKey } from '../../../engine/row-key.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { BatchCodec } from '../../../engine/wal/batch-codec.ts'
import { BodyCheck, parseBody } from '../../../formats/body/body-value.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { numberPlaces } from '../../../formats/dialect/number-places.ts'
import { renameFrom } from '../../../formats/dialect/rename.ts'
import { isScopeOfAgent } from '../../../formats/mapping/agents/agents.ts'
import { projectOfSpans } from '../../../formats/mapping/spans/span-to-call.ts'
import { CallBatch, CompletedCallsOfPath } from '../../../formats/schemas/calls.ts'
import type { NumberPlace } from '../../../formats/wire/marked-numbers.ts'
import { type SpanGroup, SpanUnreadable } from '../../../formats/wire/otlp/span.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { present } from '../../../lib/present.ts'
import { isProjectId } from '../../../lib/project-id.ts'
import { cellReader, type Row } from '../../../lib/table.ts'
import { cellAt, partAt } from '../../../lib/typed-rows.ts'
import type { DialectName } from '../../../runtime/config/configuration.ts'
import { collectCompleted, collectParts, PartsByCall } from '../collect-calls.ts'
import { ContentSink } from '../contents.ts'
import { type PartOptions, spanPart } from '../parts.ts'
import { countSpans, decodeSpans, SpanMapper } from '../span-calls.ts'
import type {
  BodyTask,
  CallsTask,
  EncodedCalls,
  OpVersion,
  PreparedCalls,
  PreparedSpans,
  SpansTask,
  StorableCalls,
} from './intake-task.ts'

const codec = new BatchCodec(callsTable)
const { at } = callsTable

/**
 * Rows as they are logged (at least one), with their derived cells and hashes. The rows are
 * changed.
 */
export function encodeCalls(rows: readonly Row[]): EncodedCalls {
  return {
    ...codec.encodeTwice(rows),
    hashes: hashesOf(callsTable, rows.map(cellReader)),
    ...derive(rows),
  }
}

const keyOf = (row: Row) => rowKey(cellAt(row, callsTable.at.project_id), cellAt(row, callsTable.at.id))

/** The derived cells of rows that can be shown, and what they know of each other. */
function derive(rows: readonly Row[]): Pick<EncodedCalls, 'derived' | 'derivedRows'> {
  const { lineage } = callsTable
  const derivedRows = new Uint8Array(rows.length)
  const pass = new LineagePass(callsTable, present(lineage, 'The lineage of calls'), new KnownRows())
  for (const [index, row] of rows.entries()) {
    if (row[at.op_name] === null) continue
    callsTable.derive(row)
    derivedRows[index] = 1
    pass.addRow(keyOf(row), row)
  }
  pass.runAtOnce()
  if (pass.havePassedFactsOn)
    for (const [index, row] of rows.entries())
      if (derivedRows[index] === 1 && pass.hasPassedFactsOn(keyOf(row))) derivedRows[index] = 2
  const cells = rows.map((row, index) => (derivedRows[index] !== 0 ? row : []))
  return { derived: new Uint8Array(codec.encodeDerived(cells)), derivedRows }
}

/** The projects that the calls of a task are written to, in the order in which they are named. */
class TaskProjects {
  private readonly task: BodyTask
  private readonly options = new Map<string, PartOptions>()

  constructor(task: BodyTask) {
    this.task = task
  }

  optionsOf(projectId: string): PartOptions {
    const known = this.options.get(projectId)
    if (known !== undefined) return known
    const { redact, userId, nowMs, keepsContents, dialect, marker } = this.task
    const contents = keepsContents ? new ContentSink({ dialect: dialects[dialect] }) : undefined
    const options = { redact, userId, nowMs, contents, marker }
    this.options.set(projectId, options)
    return options
  }

  get contents(): StorableCalls['projects'] {
    return [...this.options].map(([projectId, { contents }]) => ({ projectId, files: contents?.files ?? [] }))
  }
}

/**
 * Parses, checks and encodes the calls of a body. Returns undefined for a body that is not correct,
 * or costly to parse: the main thread then does the same work step by step and reports the fault.
 */
export async function prepareCalls(task: CallsTask): Promise<PreparedCalls | undefined> {
  try {
    return await read(task)
  } catch (cause) {
    if (cause instanceof DomainError || cause instanceof ValidationError || cause instanceof SyntaxError)
      return undefined
    throw cause
  }
}

async function read(task: CallsTask): Promise<PreparedCalls | undefined> {
  const { bytes } = task
  const { place, collect } = readerOf(task)
  const value = await parseBody(bytes, {
    place,
    onOutlined: ({ valueBytes }) => {
      // The main thread has reserved no more.
      if (valueBytes > bytes.byteLength * requestLimits.quickBodyGrowth)
        throw new DomainError('RequestTooLarge', 'The value of the body is too large for a thread')
    },
  })
  if (!isJsonObject(value) || Object.hasOwn(value, '__proto__')) return undefined
  const projects = new TaskProjects(task)
  const { rows, answer } = await collect(value, projects, task.projectId)
  if (rows.length === 0) return undefined
  return { ...encodeCalls(rows), projects: projects.contents, answer: JSON.stringify(answer) }
}

/** Reads bodies of one operation in one dialect. */
interface BodyReader {
  readonly place: NumberPlace
  /** Checks a body, and makes rows and the answer of its calls. */
  readonly collect: (body: unknown, projects: TaskProjects, projectId: string | undefined) => Promise<CollectedBody>
}

interface CollectedBody {
  readonly rows: readonly Row[]
  readonly answer: object
}

const readers = new Map<string, BodyReader>()

function readerOf({ kind, bodyDialect }: CallsTask): BodyReader {
  const key = `${kind} ${bodyDialect}`
  const reader = readers.get(key) ?? makeReaders[kind](bodyDialect)
  readers.set(key, reader)
  return reader
}

const makeReaders: Readonly<Record<CallsTask['kind'], (bodyDialect: DialectName) => BodyReader>> = {
  parts: (bodyDialect) => {
    const { place, read } = checkedBody(bodyDialect, CallBatch)
    return {
      place,
      collect: async (body, projects) => {
        const { rows, results } = await collectParts(read(body).batch, (projectId) => projects.optionsOf(projectId))
        return { rows, answer: { res: results } }
      },
    }
  },
  completed: (bodyDialect) => {
    const { place, read } = checkedBody(bodyDialect, CompletedCallsOfPath)
    return {
      place,
      collect: async (body, projects, projectId) => {
        const project = present(projectId, 'The project of completed calls')
        const { rows } = await collectCompleted(read(body).batch, project, projects.optionsOf(project))
        return { rows, answer: {} }
      },
    }
  },
}

function checkedBody<Schema extends TSchema>(bodyDialect: DialectName, schema: Schema) {
  const check = new BodyCheck(schema)
  const rename = renameFrom(bodyDialect, schema) ?? ((body: unknown) => body)
  return { place: numberPlaces(schema), read: (body: unknown) => check.complete(rename(body)) }
}

/**
 * Decodes and maps the spans of an export, and encodes the calls. Returns undefined for an export
 * that needs the main thread: one with a faulty span, with a span that evaluates another span, or
 * with spans of a coding agent, whose sessions count once.
 */
export function prepareSpans(task: SpansTask): PreparedSpans | undefined {
  try {
    const groups = decodeSpans(task)
    const batch = new SpanCalls(task)
    return groups.every((group) => batch.add(group)) ? batch.encode(countSpans(groups)) : undefined
  } catch (cause) {
    if (cause instanceof DomainError || cause instanceof SpanUnreadable) return undefined
    throw cause
  }
}

/** Calls made from the spans of an export. */
class SpanCalls {
  private readonly task: SpansTask
  private readonly mapper: SpanMapper
  private readonly parts = new PartsByCall()
  private readonly mayBeTurn: number[] = []
  private readonly responses: PreparedSpans['responses'][number][] = []
  private readonly projects: TaskProjects

  constructor(task: SpansTask) {
    this.task = task
    this.mapper = new SpanMapper(task.redact)
    this.projects = new TaskProjects(task)
  }

  /** Returns whether all spans of the group could be added. */
  add(group: SpanGroup): boolean {
    const { project: named, entity } = this.task
    const projectId = projectOfSpans(group.resource.attributes, { named, entity })
    if (projectId === undefined || !isProjectId(projectId)) return false
    if (group.spans.length === 0 || isScopeOfAgent(group.scope.name)) return false
    const options = this.projects.optionsOf(projectId)
    const { calls, responses, evaluations, rejected } = this.mapper.map(group, projectId, (call, store) => {
      const row = spanPart(call, store, projectId, options)
      this.parts.add(row)
      return row
    })
    for (const { mayBeTurn } of calls) this.mayBeTurn.push(mayBeTurn ? 1 : 0)
    for (const response of responses) this.responses.push({ ...response, projectId })
    return rejected.length === 0 && evaluations.length === 0
  }

  /**
   * Undefined if there are no spans, or if some occur more than once: which of them counts is
   * decided elsewhere.
   */
  encode(spans: number): PreparedSpans | undefined {
    const { rows } = this.parts
    if (rows.length === 0 || rows.length !== spans) return undefined
    for (const [index, row] of rows.entries())
      if (this.mayBeTurn[index] === 1 && !this.isBelowItsThread(row)) row[at.turn_id] = cellAt(row, at.id)
    return {
      ops: nameOps(rows, this.task),
      mayBeTurn: Uint8Array.from(this.mayBeTurn),
      responses: this.responses,
      projects: this.projects.contents,
      ...encodeCalls(rows),
    }
  }

  /** Whether a call above this one in the export belongs to the same conversation. */
  private isBelowItsThread(row: Row): boolean {
    const project = cellAt(row, at.project_id)
    let above = partAt(row, at.parent_id)
    for (let level = 0; above !== null && level < telemetryLimits.turnLevelsMax; level++) {
      const parent = this.parts.find(project, above)
      if (parent === undefined || parent[at.trace_id] !== row[at.trace_id]) return false
      if (parent[at.thread_id] === row[at.thread_id]) return true
      above = partAt(parent, at.parent_id)
    }
    return false
  }
}

/** Versions of ops that the main thread has sent to this thread, by project and name. */
const knownVersions = new BoundedMap<string, string | null>(telemetryLimits.knownOpsMax)

/** Replaces plain op names by refs. */
function nameOps(rows: readonly Row[], { ops, opVersion, dialect }: SpansTask): OpVersion[] {
  const { refs } = dialects[dialect]
  // There may be more than `knownVersions` has room for.
  const given = new Map(ops.map(({ projectId, name, version }) => [opKey(projectId, name), version]))
  for (const [key, version] of given) knownVersions.set(key, version)
  const used = new Map<string, OpVersion & { readonly ref: string }>()
  for (const row of rows) {
    const [projectId, name] = [cellAt(row, at.project_id), cellAt(row, at.op_name)]
    const key = opKey(projectId, name)
    let op = used.get(key)
    if (op === undefined) {
      const known = given.has(key) ? given.get(key) : knownVersions.get(key)
      const version = known === undefined ? opVersion : known
      const ref = version === null ? name : refs.object({ kind: 'op', projectId, name, version })
      op = { projectId, name, version, ref }
      used.set(key, op)
    }
    row[at.op_name] = op.ref
  }
  return [...used.values()].map(({ projectId, name, version }) => ({ projectId, name, version }))
}

const opKey = (projectId: string, name: string): string => `${projectId}\n${name}`
