import { callsTable } from '../../../engine/tables/calls-table.ts'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { isScopeOfAgent } from '../../../formats/mapping/agents/agents.ts'
import { projectOfSpans } from '../../../formats/mapping/spans/span-project.ts'
import { type SpanGroup, SpanUnreadable } from '../../../formats/wire/otlp/span.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { isProjectId } from '../../../lib/project-id.ts'
import type { Row } from '../../../lib/table.ts'
import { cellAt } from '../../../lib/typed-rows.ts'
import { PartsByCall } from '../collect-calls.ts'
import { ContentSink } from '../contents.ts'
import { type PartOptions, spanPart } from '../parts.ts'
import { countSpans, decodeSpans, SpanMapper } from '../span-calls.ts'
import { encodeCalls } from './encode-calls.ts'
import type { OpVersion, PreparedSpans, SpansTask } from './intake-task.ts'

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
  private readonly projects = new Map<string, PartOptions>()

  constructor(task: SpansTask) {
    this.task = task
    this.mapper = new SpanMapper(task.redact)
  }

  /** Returns whether all spans of the group could be added. */
  add(group: SpanGroup): boolean {
    const { project: named, entity } = this.task
    const projectId = projectOfSpans(group.resource.attributes, { named, entity })
    if (projectId === undefined || !isProjectId(projectId)) return false
    if (group.spans.length === 0 || isScopeOfAgent(group.scope.name)) return false
    const options = this.optionsOf(projectId)
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
    return {
      ops: nameOps(rows, this.task),
      mayBeTurn: Uint8Array.from(this.mayBeTurn),
      responses: this.responses,
      projects: [...this.projects].map(([projectId, { contents }]) => ({ projectId, files: contents?.files ?? [] })),
      ...encodeCalls(rows),
    }
  }

  private optionsOf(projectId: string): PartOptions {
    const known = this.projects.get(projectId)
    if (known !== undefined) return known
    const { redact, userId, nowMs, keepsContents, dialect } = this.task
    const contents = keepsContents ? new ContentSink({ dialect: dialects[dialect] }) : undefined
    const options = { redact, userId, nowMs, contents }
    this.projects.set(projectId, options)
    return options
  }
}

/** Versions of ops that the main thread has sent to this thread, by project and name. */
const knownVersions = new BoundedMap<string, string | null>(telemetryLimits.knownOpsMax)

/** Replaces plain op names by refs. */
function nameOps(rows: readonly Row[], { ops, opVersion, dialect }: SpansTask): OpVersion[] {
  const { refs } = dialects[dialect]
  const { at } = callsTable
  // There may be more than `knownVersions` has room for.
  const given = new Map(ops.map(({ projectId, name, version }) => [keyOf(projectId, name), version]))
  for (const [key, version] of given) knownVersions.set(key, version)
  const used = new Map<string, OpVersion & { readonly ref: string }>()
  for (const row of rows) {
    const [projectId, name] = [cellAt(row, at.project_id), cellAt(row, at.op_name)]
    const key = keyOf(projectId, name)
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

const keyOf = (projectId: string, name: string): string => `${projectId}\n${name}`
