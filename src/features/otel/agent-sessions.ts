import type { ProjectReader, ProjectWriter } from '../../foundation/access/caller.ts'
import { KeyedMutex } from '../../foundation/keyed-mutex.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Row } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import { eventsOfAgents, isScopeOfAgent } from '../../mapping/agents/agents.ts'
import { compileCountingSpans } from '../../query/sql/agent-spans.ts'
import type { CallWriter } from '../../records/calls/write-calls.ts'
import type { StoredEvents } from '../../records/logs/stored-events.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../../tables/calls-table.ts'

const { at } = callsTable

/** A call made of a span of a coding agent. */
export interface AgentSpan {
  readonly row: Row
  readonly writer: ProjectWriter
}

/**
 * Sees to it that a session of a coding agent counts once if the agent sends both events and spans:
 * the calls made of events count, and those made of spans have no usage and are no turns. See
 * docs/decisions/091.
 */
export class AgentSessions {
  private readonly store: Store
  private readonly events: StoredEvents
  private readonly calls: CallWriter
  private readonly mutex = new KeyedMutex()
  /** Whether a session has events. */
  private readonly known = new BoundedMap<string, boolean>(limits.agentSessionsKnownMax)

  constructor({ store, events, calls }: { store: Store; events: StoredEvents; calls: CallWriter }) {
    this.store = store
    this.events = events
    this.calls = calls
  }

  /**
   * Removes the usage and the turns of spans whose sessions have events, and stores them. Events of
   * these sessions wait meanwhile.
   */
  async storeSpans(spans: readonly AgentSpan[], store: () => Promise<void>): Promise<void> {
    const sessions = new Map<string, { reader: ProjectReader; session: string; rows: Row[] }>()
    for (const { row, writer } of spans) {
      const session = row[at.thread_id] as string | null
      if (session === null) continue
      const key = keyOf(writer, session)
      const one = sessions.get(key) ?? { reader: writer, session, rows: [] }
      one.rows.push(row)
      sessions.set(key, one)
    }
    // Always in the same order, so that two exports never wait for each other.
    const ordered = [...sessions].sort(([a], [b]) => (a < b ? -1 : 1))
    const locked = ordered.reduceRight<() => Promise<void>>(
      (next, [key, { reader, session, rows }]) =>
        () =>
          this.mutex.run(key, async () => {
            if (await this.hasEvents(key, reader, session)) for (const row of rows) discount(row)
            await next()
          }),
      store,
    )
    await locked()
  }

  /**
   * Stores calls made of events of a session; before that, those of its spans that are stored stop
   * counting.
   */
  async storeEvents(writer: ProjectWriter, session: string, store: () => Promise<void>): Promise<void> {
    const key = keyOf(writer, session)
    await this.mutex.run(key, async () => {
      if (!this.known.get(key)) {
        await this.discountStored(writer, session)
        this.known.set(key, true)
      }
      await store()
    })
  }

  private async hasEvents(key: string, reader: ProjectReader, session: string): Promise<boolean> {
    const known = this.known.get(key)
    if (known !== undefined) return known
    const found = await this.events.exist(reader, { threadId: session, names: eventsOfAgents })
    this.known.set(key, found)
    return found
  }

  private async discountStored(writer: ProjectWriter, session: string): Promise<void> {
    const { projectId } = writer
    const found = await this.store.read([callsTable.name], { projectId }, (snapshot) =>
      snapshot.rows(compileCountingSpans(projectId, session, snapshot.relation(callsTable.name))),
    )
    const batch = this.calls.spans()
    for (const [id, isTurn, hasUsage, scope] of found) {
      if (!isScopeOfAgent((scope as string | null) ?? '')) continue
      batch.discount(writer, id as string, { isTurn: Boolean(isTurn), hasUsage: Boolean(hasUsage) })
    }
    await batch.store()
  }
}

const keyOf = ({ projectId }: ProjectReader, session: string): string => `${projectId}\n${session}`

function discount(row: Row): void {
  row[at.summary] = '{}'
  if (row[at.turn_id] === row[at.id]) row[at.turn_id] = ''
}
