import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import { present, valueAt } from '../../../lib/present.ts'
import type { CellReader } from '../../../lib/table.ts'
import type { Log } from '../../../runtime/log.ts'
import { randomHex } from '../../../runtime/platform/crypto.ts'
import type { ProjectReader } from '../../access/index.ts'
import { CallFeed } from './call-feed.ts'
import { type EventKind, LiveCallsReader, type LiveFilter } from './live-call.ts'
import { LiveTail, parseEventId } from './live-tail.ts'

export interface LiveOptions {
  readonly store: Store
  readonly clientsMax: number
  readonly clientsPerKeyMax: number
  readonly eventsMax: number
  readonly log: Log
}

interface TailOptions {
  readonly lastEventId: string | undefined
  /** Name of a member for the client. */
  readonly nameOf: (member: string) => string
  /** Throws if the client may not read the project any more. */
  readonly checkAccess: () => Promise<unknown>
}

interface Listened {
  readonly feed: CallFeed
  readonly tails: Set<LiveTail>
  /** Removes the feed some time after the last listener has left. */
  expiry: ReturnType<typeof setTimeout> | undefined
}

/** Live tails of calls as they start and end. Without listeners, writes have no extra cost. */
export class LiveCalls {
  private readonly options: LiveOptions
  private readonly calls: LiveCallsReader
  private readonly projects = new Map<string, Listened>()
  private readonly serverEpoch = randomHex(4)
  private lastNumber = 0
  private clients = 0
  /** Number of clients by API key. */
  private readonly clientsByKey = new Map<string, number>()
  private isClosed = false
  private unwatch: (() => void) | undefined

  constructor(options: LiveOptions) {
    this.options = options
    this.calls = new LiveCallsReader(options.store)
  }

  /** Number of connected clients. */
  get listening(): number {
    return this.clients
  }

  /**
   * A stream of server-sent events, from now on or resumed at `lastEventId`.
   *
   * @throws DomainError TooManyRequests if the key has too many, Overloaded if there are too many
   *   in total; InvalidRequest for a malformed event id
   */
  open(
    reader: ProjectReader,
    filter: LiveFilter,
    { lastEventId, nameOf, checkAccess }: TailOptions,
  ): ReadableStream<Uint8Array> {
    const { clientsMax, clientsPerKeyMax, eventsMax, log } = this.options
    const { userId } = reader
    if (this.isClosed) throw new DomainError('StoreUnavailable', 'The server is shutting down')
    if (this.clients >= clientsMax) {
      throw new DomainError('Overloaded', `Too many live tails: at most ${clientsMax} are allowed`)
    }
    const own = this.clientsByKey.get(userId) ?? 0
    if (own >= clientsPerKeyMax) {
      throw new DomainError(
        'TooManyRequests',
        `This API key already has ${own} live tails, the maximum; close one or raise TRACELAKE_LIVE_PER_KEY`,
      )
    }
    const resume = lastEventId === undefined ? undefined : parseEventId(lastEventId)
    if (lastEventId !== undefined && resume === undefined) {
      throw new DomainError('InvalidRequest', `Invalid Last-Event-ID ${quoted(lastEventId)}`)
    }
    const project = this.listenTo(reader.projectId)
    const tail: LiveTail = new LiveTail({
      reader,
      filter,
      feed: project.feed,
      calls: this.calls,
      serverEpoch: this.serverEpoch,
      eventsMax,
      resume,
      nameOf,
      checkAccess,
      log,
      onEnd: () => this.leave(reader, project, tail),
    })
    project.tails.add(tail)
    this.clients++
    this.clientsByKey.set(userId, own + 1)
    return tail.stream
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.isClosed = true
    for (const { tails } of this.projects.values()) {
      for (const tail of tails) tail.end('shutdown', 'the server is shutting down')
    }
    for (const { expiry } of this.projects.values()) clearTimeout(expiry)
    this.projects.clear()
    this.unwatch?.()
  }

  private listenTo(projectId: string): Listened {
    const known = this.projects.get(projectId)
    if (known !== undefined) {
      clearTimeout(known.expiry)
      return known
    }
    const { eventsMax } = this.options
    const feed = new CallFeed({ projectId, reader: this.calls, eventsMax, after: this.lastNumber })
    const project: Listened = { feed, tails: new Set(), expiry: undefined }
    this.projects.set(projectId, project)
    this.unwatch ??= this.options.store.watch(callsTable.name, (rows) => this.look(rows))
    return project
  }

  private leave({ projectId, userId }: ProjectReader, project: Listened, tail: LiveTail): void {
    if (!project.tails.delete(tail)) return
    this.clients--
    const left = valueAt(this.clientsByKey, userId) - 1
    if (left === 0) this.clientsByKey.delete(userId)
    else this.clientsByKey.set(userId, left)
    if (project.tails.size > 0 || this.isClosed) return
    project.expiry = setTimeout(() => this.forget(projectId), responseLimits.liveKeepMs)
  }

  private forget(projectId: string): void {
    this.projects.delete(projectId)
    if (this.projects.size > 0) return
    this.unwatch?.()
    this.unwatch = undefined
  }

  /**
   * Interprets written rows if somebody is listening. Rows may change on their way through the
   * store, so they are read beforehand.
   */
  private look(rows: readonly CellReader[]): (() => void) | undefined {
    const seen: { project: Listened; id: string; eventKind: EventKind; micros: number }[] = []
    for (const row of rows) {
      const project = this.projects.get(present(row.text(callsTable.at.project_id), 'The project of a row'))
      if (project === undefined) continue
      const id = present(row.text(callsTable.at.id), 'The id of a row')
      const micros = present(row.number(callsTable.at.written_at), 'The time of a write')
      if (!row.isNull(callsTable.at.op_name)) seen.push({ project, id, eventKind: 'start', micros })
      if (!row.isNull(callsTable.at.ended_at)) seen.push({ project, id, eventKind: 'end', micros })
    }
    return seen.length === 0 ? undefined : () => this.publish(seen)
  }

  private publish(seen: readonly { project: Listened; id: string; eventKind: EventKind; micros: number }[]): void {
    const projects = new Set<Listened>()
    for (const { project, id, eventKind, micros } of seen) {
      project.feed.add(++this.lastNumber, id, eventKind, micros)
      projects.add(project)
    }
    for (const { feed, tails } of projects) {
      feed.wake()
      for (const tail of tails) tail.dropIfBehind()
    }
  }
}
