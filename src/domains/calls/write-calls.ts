import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { BatchCodec, type EncodedRows } from '../../engine/wal/batch-codec.ts'
import type { CallBatchItem, CallIds, EndedCall, StartedCall } from '../../formats/schemas/calls.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Row } from '../../lib/table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectWriter } from '../access/index.ts'
import { type CollectedCalls, collectCompleted, collectParts, type SentCall } from './collect-calls.ts'
import { type ContentKeeping, ContentSink, keepContents } from './contents.ts'
import { findCallPlaces, tracesOf, withDescendants } from './descendants.ts'
import type { StorableCalls } from './intake/intake-task.ts'
import {
  deletionPart,
  displayNamePart,
  elsewherePart,
  endPart,
  startPart,
  turnPart,
  type WriteOptions,
} from './parts.ts'
import { readTraces, relearn } from './relearn.ts'
import { SpanBatch } from './span-batch.ts'

const codec = new BatchCodec(callsTable)

export interface WriteDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly redact: boolean
  /** Where long content in payloads is stored; undefined to keep it inline. */
  readonly contents: ContentKeeping | undefined
  /** The text that replaces payloads that are too large; undefined to keep them. */
  readonly marker?: string | undefined
  readonly work: CallWork
}

/** A call that was stored before, and the turn that it belongs to. */
export interface MovedCall {
  readonly writer: ProjectWriter
  readonly id: string
  readonly turnId: string
}

/** Changes of calls, also of calls stored before, that an export brings about. */
export interface ChangedCalls {
  readonly moved?: readonly MovedCall[]
  /** Calls whose usage another call, not below them, states. */
  readonly elsewhere?: readonly { readonly writer: ProjectWriter; readonly id: string }[]
}

/** Server-side jobs that create calls below others and have their ids. */
export interface CallWork {
  /** Stops the jobs below these calls and waits until they have ended. Most calls have none. */
  drop(projectId: string, callIds: readonly string[]): Promise<void>
  /** Whether there is an unfinished job below the call. */
  isUndone(projectId: string, callId: string): boolean
  /** Calls of a project whose jobs are paused. */
  pausedIn(projectId: string): ReadonlySet<string>
}

/**
 * Stores calls. Everything is validated before anything is stored; when a method returns, the write
 * is durable and visible.
 */
export class CallWriter {
  private readonly store: Store
  private readonly clock: Clock
  private readonly redact: boolean
  private readonly contents: ContentKeeping | undefined
  private readonly marker: string | undefined
  private readonly work: CallWork

  constructor({ store, clock, redact, contents, marker, work }: WriteDependencies) {
    this.store = store
    this.clock = clock
    this.redact = redact
    this.contents = contents
    this.marker = marker
    this.work = work
  }

  async start(writer: ProjectWriter, start: StartedCall): Promise<CallIds> {
    const options = this.options(writer)
    const { part, ids } = startPart(start, writer.projectId, options)
    await this.write([part], [options])
    return ids
  }

  async end(writer: ProjectWriter, end: EndedCall): Promise<void> {
    const options = this.options(writer)
    await this.write([endPart(end, writer.projectId, options)], [options])
  }

  /**
   * Stores starts and ends of calls in any order, possibly of several projects; all or none.
   *
   * @returns for each item the ids of a start, or nothing for an end
   * @throws ValidationError with the place of the invalid item; DomainError Forbidden
   */
  async upsertBatch(
    writerOf: (projectId: string) => ProjectWriter,
    items: readonly CallBatchItem[],
  ): Promise<CollectedCalls['results']> {
    const known = new Map<string, WriteOptions>()
    const optionsOf = (projectId: string): WriteOptions => {
      const options = known.get(projectId) ?? this.options(writerOf(projectId))
      known.set(projectId, options)
      return options
    }
    const { rows, results } = await collectParts(items, optionsOf)
    await this.write(rows, [...known.values()])
    return results
  }

  /**
   * Stores completed calls; all or none. @throws ValidationError with the place of the invalid call
   */
  async complete(writer: ProjectWriter, calls: readonly SentCall[]): Promise<void> {
    const options = this.options(writer)
    const { rows } = await collectCompleted(calls, writer.projectId, options)
    await this.write(rows, [options])
  }

  /** Stores calls that `CallIntake` has prepared; all or none. @throws DomainError Forbidden */
  storePrepared(writerOf: (projectId: string) => ProjectWriter, calls: StorableCalls): Promise<void> {
    return this.storeEncoded(writerOf, { ...codec.encoded(calls), projects: calls.projects })
  }

  /**
   * The same for calls whose rows have been decoded.
   *
   * @param changed calls, also stored before, which are part of a turn now, or whose usage another
   *   call states
   * @throws DomainError Forbidden
   */
  async storeEncoded(
    writerOf: (projectId: string) => ProjectWriter,
    { projects, ...encoded }: EncodedRows & Pick<StorableCalls, 'projects'>,
    { moved = [], elsewhere = [] }: ChangedCalls = {},
  ): Promise<void> {
    const written = projects.map(({ projectId, files }) => ({ writer: writerOf(projectId), files }))
    for (const { writer, files } of written)
      if (files.length > 0) await this.contents?.files.createFromBytes(writer, files)
    const parts = [
      ...moved.map(({ writer, id, turnId }) => turnPart(id, writer.projectId, turnId, this.options(writer))),
      ...elsewhere.map(({ writer, id }) => elsewherePart(id, writer.projectId, this.options(writer))),
    ]
    await this.store.writeEncoded(callsTable.name, encoded, parts)
  }

  /** A batch of calls made from spans, of any projects. */
  spans(): SpanBatch {
    return new SpanBatch({
      optionsOf: (writer) => this.options(writer),
      write: (parts, options) => this.write(parts, options),
    })
  }

  /** Sets the display name of a call, or clears it with an empty one. Unknown calls are ignored. */
  async update(writer: ProjectWriter, id: string, displayName: string | null | undefined): Promise<void> {
    if (displayName === null || displayName === undefined) {
      throw new DomainError('InvalidRequest', `Nothing to update in call "${id}": \`display_name\` is missing`)
    }
    await this.store.write(callsTable.name, [displayNamePart(id, writer.projectId, displayName, this.options(writer))])
  }

  /** Deletes calls and their descendants; returns the number of calls that existed. */
  async delete(writer: ProjectWriter, ids: readonly string[]): Promise<number> {
    if (ids.length > operationLimits.deleteIdsMax) {
      throw new DomainError(
        'RequestTooLarge',
        tooMany('`call_ids` to delete', ids.length, operationLimits.deleteIdsMax, ' per request'),
      )
    }
    // Otherwise they would go on creating calls below deleted ones.
    await this.work.drop(writer.projectId, ids)
    const options = this.options(writer)
    const { nowMs } = options
    const { found, relearned } = await this.store.read([callsTable.name], writer, async (snapshot) => {
      const { places, belowOthers } = await findCallPlaces(snapshot, writer, ids)
      const traces = await readTraces(snapshot, writer, tracesOf(belowOthers))
      const found = await withDescendants(snapshot, writer, places, traces)
      return { found, relearned: relearn(traces, found, nowMs) }
    })
    const deleted = [...found].map((id) => deletionPart(id, writer.projectId, options))
    await this.store.write(callsTable.name, [...deleted, ...relearned.parts])
    // Calls may have learned something meanwhile that these parts have replaced.
    const { traceIds } = relearned
    for (let tries = 0; tries < storageLimits.relearningTriesMax && traceIds.length > 0; tries++) {
      const { parts } = await this.store.read([callsTable.name], writer, async (snapshot) =>
        relearn(await readTraces(snapshot, writer, traceIds), new Set(), nowMs),
      )
      if (parts.length === 0) break
      await this.store.write(callsTable.name, parts)
    }
    return found.size
  }

  /**
   * Ids of the calls that exist and of all their descendants: what `delete` would delete. @throws
   * DomainError RequestTooLarge
   */
  async withDescendants(writer: ProjectWriter, ids: readonly string[]): Promise<string[]> {
    const found = await this.store.read([callsTable.name], writer, async (snapshot) => {
      const { places } = await findCallPlaces(snapshot, writer, ids)
      return await withDescendants(snapshot, writer, places)
    })
    return [...found]
  }

  /** Files first, then the calls that refer to them. */
  private async write(parts: readonly Row[], options: readonly WriteOptions[]): Promise<void> {
    for (const { writer, contents } of options) {
      if (this.contents && contents && contents.files.length > 0) await keepContents(this.contents, writer, contents)
    }
    await this.store.write(callsTable.name, parts)
  }

  private options(writer: ProjectWriter): WriteOptions {
    return {
      writer,
      redact: this.redact,
      userId: writer.userId,
      nowMs: this.clock.nowMs(),
      contents: this.contents && new ContentSink(this.contents),
      marker: this.marker,
    }
  }
}
