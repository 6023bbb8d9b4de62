import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { eventsOfAgents, isScopeOfAgent } from '../../formats/mapping/agents/agents.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { Row } from '../../lib/table.ts'
import { partAt } from '../../lib/typed-rows.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { CallWriter } from '../calls/index.ts'
import type { StoredEvents } from './logs/stored-events.ts'
import { compileCountingCalls } from './sql/agent-spans.ts'

const { at } = callsTable

/** A call made of a span of a coding agent. */
export interface AgentSpan {
  readonly row: Row
  readonly writer: ProjectWriter
}

/** The source whose calls count for a session. */
type Counted = 'events' | 'transcript' | 'spans'

/**
 * Ensures that a session of a coding agent counts once, even if the agent sends both events and
 * spans, or its transcript is imported too. Calls made from events count; the others have no usage
 * and are not turns. Without events, the source that is stored first counts. See
 * docs/decisions/091-coding-agents.md and docs/decisions/126-imported-sessions-count-once.md.
 */
export class AgentSessions {
  private readonly store: Store
  private readonly events: StoredEvents
  private readonly calls: CallWriter
  private readonly mutex = new KeyedMutex()
  /** The source that counts, by session. */
  private readonly known = new BoundedMap<string, Counted>(telemetryLimits.agentSessionsKnownMax)

  constructor({ store, events, calls }: { store: Store; events: StoredEvents; calls: CallWriter }) {
    this.store = store
    this.events = events
    this.calls = calls
  }

  /**
   * Removes the usage and the turns of spans whose sessions have events or were imported, and
   * stores them. Events of these sessions wait meanwhile.
   */
  async storeSpans(spans: readonly AgentSpan[], store: () => Promise<void>): Promise<void> {
    const sessions = new Map<string, { reader: ProjectReader; session: string; rows: Row[] }>()
    for (const { row, writer } of spans) {
      const session = partAt(row, at.thread_id)
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
            const counted = await this.countedOf(key, reader, session)
            if (counted !== 'spans') for (const row of rows) discount(row)
            await next()
          }),
      store,
    )
    await locked()
  }

  /**
   * Stores calls made of events of a session; before that, its other calls that are stored stop
   * counting.
   */
  async storeEvents(writer: ProjectWriter, session: string, store: () => Promise<void>): Promise<void> {
    const key = keyOf(writer, session)
    await this.mutex.run(key, async () => {
      if (this.known.get(key) !== 'events') {
        await this.discountStored(writer, session)
        this.known.set(key, 'events')
      }
      await store()
    })
  }

  private async countedOf(key: string, reader: ProjectReader, session: string): Promise<Counted> {
    const known = this.known.get(key)
    if (known !== undefined) return known
    const hasEvents = await this.events.exist(reader, { threadId: session, names: eventsOfAgents })
    const isImported = async () => (await this.counting(reader, session)).some((call) => call.isImported)
    const counted = hasEvents ? 'events' : (await isImported()) ? 'transcript' : 'spans'
    this.known.set(key, counted)
    return counted
  }

  private async discountStored(writer: ProjectWriter, session: string): Promise<void> {
    const batch = this.calls.spans()
    for (const { id, isTurn, hasUsage } of await this.counting(writer, session)) {
      batch.discount(writer, id, { isTurn, hasUsage })
    }
    await batch.store()
  }

  /** The calls of a session that count and were not made of events. */
  private async counting({ projectId }: ProjectReader, session: string) {
    const found = await this.store.read([callsTable.name], { projectId }, (snapshot) =>
      snapshot.rows(compileCountingCalls(projectId, session, snapshot.relation(callsTable.name))),
    )
    return found.flatMap(({ id, is_turn: isTurn, has_usage: hasUsage, scope, is_imported: imported }) => {
      const isImported = imported === 1
      if (!isImported && !isScopeOfAgent(scope ?? '')) return []
      return [{ id, isTurn: isTurn === 1, hasUsage: hasUsage === 1, isImported }]
    })
  }
}

const keyOf = ({ projectId }: ProjectReader, session: string): string => `${projectId}\n${session}`

function discount(row: Row): void {
  row[at.summary] = '{}'
  if (row[at.turn_id] === row[at.id]) row[at.turn_id] = ''
}
