import { type Agent, type AgentFact, turnIdOf } from '../../formats/mapping/agents/agent-fact.ts'
import { type AgentCall, turnCalls } from '../../formats/mapping/agents/turn-calls.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { itemAt } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { sha256Base64Url } from '../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { CallWriter } from '../calls/index.ts'
import type { AgentSessions } from './agent-sessions.ts'
import type { StoredEvents } from './logs/stored-events.ts'
import type { SpanOps } from './span-ops.ts'

/** An event of a coding agent that has been stored. */
export interface AgentEntry {
  readonly writer: ProjectWriter
  readonly agent: Agent
  readonly fact: AgentFact
  /** Id of its row in `logs`. */
  readonly rowId: string
}

export interface AgentTurnsDependencies {
  readonly calls: CallWriter
  readonly ops: SpanOps
  readonly events: StoredEvents
  readonly sessions: AgentSessions
}

/** The events of a session, or of one of its prompts, and what has been written of them. */
interface Group {
  /** By the id of the row: an event that is sent again is the same. */
  readonly facts: Map<string, AgentFact>
  /** By call. */
  readonly written: Map<string, Written>
  weight: number
}

/** Digests of what was written of a call. Inputs that are unknown now may be written already. */
interface Written {
  readonly rest: string
  readonly inputs: string | undefined
}

/**
 * Turns events of coding agents into calls. All calls of a session or prompt are derived anew from
 * all its events whenever one arrives, so the order of arrival does not matter; those that have
 * changed are written. What is not remembered is read from `logs`.
 */
export class AgentTurns {
  private readonly deps: AgentTurnsDependencies
  private readonly mutex = new KeyedMutex()
  /** Most recently used last. */
  private readonly groups = new Map<string, Group>()
  private weight = 0

  constructor(deps: AgentTurnsDependencies) {
    this.deps = deps
  }

  /** Writes the calls that change. The events must be stored. */
  async add(entries: readonly AgentEntry[]): Promise<void> {
    for (const [key, ofGroup] of Map.groupBy(entries, groupKey)) {
      await this.mutex.run(key, () => this.addTo(key, ofGroup))
    }
  }

  private async addTo(key: string, entries: readonly AgentEntry[]): Promise<void> {
    const { writer, agent, fact } = itemAt(entries, 0)
    const group = this.groups.get(key) ?? (await this.load(writer, agent, fact))
    this.forget(key)
    for (const { rowId, fact: each } of entries) if (!group.facts.has(rowId)) group.facts.set(rowId, each)
    const changed = turnCalls(agent, group.facts.values()).flatMap((call) => {
      const known = group.written.get(call.id!)
      const now = writtenOf(call, known)
      return known?.rest === now.rest && known.inputs === now.inputs ? [] : [{ call, now }]
    })
    await this.deps.sessions.storeEvents(writer, fact.session, () =>
      this.write(
        writer,
        changed.map(({ call }) => call),
      ),
    )
    for (const { call, now } of changed) group.written.set(call.id!, now)
    dropWritten(group.facts)
    this.remember(key, group)
  }

  private async load(writer: ProjectWriter, agent: Agent, fact: AgentFact): Promise<Group> {
    const { session, prompt } = fact
    const turnId = agent.groupsBy === 'session' ? undefined : turnIdOfPrompt(agent, session, prompt)
    const wanted = { threadId: session, names: agent.events, ...(turnId !== undefined && { turnId }) }
    const stored = await this.deps.events.find(writer, wanted)
    const facts = stored.flatMap(({ id, event }) => {
      const found = agent.owns(event) ? agent.factOf(event, 0) : undefined
      return found === undefined ? [] : [[id, found] as const]
    })
    return { facts: new Map(facts), written: new Map(), weight: 0 }
  }

  private async write(writer: ProjectWriter, calls: readonly AgentCall[]): Promise<void> {
    const batch = this.deps.calls.spans()
    const rows: { row: Row; writer: ProjectWriter }[] = []
    for (const call of calls) {
      try {
        rows.push({ row: batch.add(writer, { ...call, project_id: writer.projectId }, undefined), writer })
      } catch (cause) {
        // Such as a time that no call can have. The event is in `logs`.
        if (!(cause instanceof DomainError)) throw cause
      }
    }
    await this.deps.ops.name(rows)
    await batch.store()
  }

  private remember(key: string, group: Group): void {
    this.groups.set(key, group)
    group.weight = weightOf(group)
    this.weight += group.weight
    for (const oldest of this.groups.keys()) {
      if (this.weight <= telemetryLimits.agentEventsKeptMax) return
      this.forget(oldest)
    }
  }

  private forget(key: string): void {
    this.weight -= this.groups.get(key)?.weight ?? 0
    this.groups.delete(key)
  }
}

const groupKey = ({ writer, agent, fact }: AgentEntry): string =>
  [writer.projectId, agent.name, fact.session, agent.groupsBy === 'session' ? '' : (fact.prompt ?? '')].join('\n')

/** Turn of a prompt; null for events outside of turns. */
const turnIdOfPrompt = (agent: Agent, session: string, prompt: string | undefined): string | null =>
  prompt === undefined ? null : turnIdOf(agent.name, session, prompt)

const writtenOf = ({ inputs, ...rest }: AgentCall, known: Written | undefined): Written => ({
  rest: sha256Base64Url(JSON.stringify(rest)),
  inputs: inputs === undefined ? known?.inputs : sha256Base64Url(JSON.stringify(inputs)),
})

/** Forgets the messages of a model request, with their history, once a call holds them. */
function dropWritten(facts: Map<string, AgentFact>): void {
  const works = new Set([...facts.values()].flatMap((fact) => (fact.kind === 'model' ? [fact.work] : [])))
  for (const [rowId, fact] of facts) {
    if (fact.kind === 'content' && fact.inputs !== undefined && works.has(fact.work)) {
      facts.set(rowId, { ...fact, inputs: undefined })
    }
  }
}

/** Facts, and what they hold in units of a kilobyte. */
function weightOf({ facts }: Group): number {
  let weight = 0
  for (const fact of facts.values()) {
    const isLong = fact.kind === 'beginning' || fact.kind === 'content'
    weight += 1 + (isLong && fact.inputs !== undefined ? Math.ceil(JSON.stringify(fact.inputs).length / 1024) : 0)
  }
  return weight
}
