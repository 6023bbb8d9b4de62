import { projectOfSpans } from '../../formats/mapping/spans/span-to-call.ts'
import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import {
  type AttributeEntries,
  type SpanIdentity,
  type SpanResource,
  SpanUnreadable,
} from '../../formats/wire/otlp/span.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { isProjectId } from '../../lib/project-id.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'

/** Rejected spans or log records with reasons. Only the first reasons are kept. */
export class Rejections {
  private readonly reasons: string[] = []
  private count = 0

  /** @param item what it is called in the message */
  add(reason: string, item: string): void {
    this.count++
    if (this.reasons.length < telemetryLimits.rejectionsNamedMax) this.reasons.push(`${item}: ${reason}`)
    else if (this.reasons.length === telemetryLimits.rejectionsNamedMax) this.reasons.push('...')
  }

  /**
   * Rejects all items of a group for the same reason. Items that will not be named are not decoded.
   */
  addAll<Item>(items: readonly (() => Item)[], reason: string, nameOf: (decode: () => Item) => string): void {
    for (const decode of items) {
      this.add(reason, this.reasons.length < telemetryLimits.rejectionsNamedMax ? nameOf(decode) : '')
    }
  }

  get answer(): RejectedItems | undefined {
    return this.count === 0 ? undefined : { count: this.count, message: this.reasons.join('; ') }
  }
}

/** The name of a span for error messages, even if the span cannot be decoded. */
export function nameOfEncoded(decode: () => SpanIdentity): string {
  try {
    return nameOfSpan(decode())
  } catch (error) {
    if (error instanceof SpanUnreadable) return nameOfSpan(error.span)
    throw error
  }
}

/** @param span what is known of it */
export function nameOfSpan(span: SpanIdentity | undefined): string {
  if (span === undefined) return 'Unnamed span'
  const { name, traceId, spanId } = span
  return `Span "${name.slice(0, 128).toWellFormed()}" (trace ${traceId.slice(0, 64)}, span ${spanId.slice(0, 64)})`
}

/** Receives the groups of an export that were accepted or rejected. */
interface GroupIntake<Group> {
  take(group: Group, writer: ProjectWriter): void
  reject(group: Group, reason: string): void
}

/** Determines the project of spans and checks that the caller may write to it. */
export class SpanProjects {
  private readonly caller: Caller
  private readonly named: string | undefined
  private readonly known = new Map<string, ProjectWriter | DomainError>()

  /** @param named project of spans whose resource names none */
  constructor(caller: Caller, named: string | undefined) {
    this.caller = caller
    this.named = named
  }

  /**
   * Hands each group to `intake`: with the writer of its project, or with the reason why it has
   * none.
   *
   * @throws DomainError Forbidden or InvalidRequest if no group has a writable project
   */
  distribute<Group extends { readonly resource: SpanResource }>(
    groups: readonly Group[],
    intake: GroupIntake<Group>,
  ): void {
    let hasReachedProject = false
    let refusal: DomainError | undefined
    for (const group of groups) {
      let writer: ProjectWriter
      try {
        writer = this.writerFor(group.resource.attributes)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        refusal = error
        intake.reject(group, error.message)
        continue
      }
      hasReachedProject = true
      intake.take(group, writer)
    }
    if (refusal !== undefined && !hasReachedProject) throw refusal
  }

  /** @throws DomainError Forbidden; InvalidRequest if no project is given or it is malformed */
  private writerFor(resource: AttributeEntries): ProjectWriter {
    const projectId = projectOfSpans(resource, { named: this.named, entity: this.caller.defaultEntity })
    const writer = this.known.get(projectId ?? '') ?? this.decide(projectId)
    this.known.set(projectId ?? '', writer)
    if (writer instanceof DomainError) throw writer
    return writer
  }

  private decide(projectId: string | undefined): ProjectWriter | DomainError {
    if (projectId === undefined) {
      return new DomainError(
        'InvalidRequest',
        'No project given: set the header project_id (entity/project) or the resource attributes ' +
          'ext.entity and ext.project',
      )
    }
    if (!isProjectId(projectId)) {
      return new DomainError('InvalidRequest', `Invalid project_id ${quoted(projectId, 300)}: use <entity>/<project>`)
    }
    try {
      return this.caller.write(projectId)
    } catch (cause) {
      if (cause instanceof DomainError) return cause
      throw cause
    }
  }
}
