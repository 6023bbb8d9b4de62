import type { Client } from '../conformance/support/client.ts'
import type { Random } from '../store/random.ts'
import type { Effect, Ledger, Members, Operation } from './ledger.ts'

const callsPerTree = 5

/**
 * A client that writes its own calls, one request after the other. Every request marks each call it
 * touches, so that reads reveal which requests took effect.
 */
export class Workload {
  readonly ledger: Ledger
  /** The request in flight when the server died. */
  unanswered: Operation | undefined
  /** Acknowledged requests. */
  acknowledged = 0
  private readonly name: string
  private readonly random: Random
  private next = 0
  private marks = 0

  constructor(name: string, ledger: Ledger, random: Random) {
    this.name = name
    this.ledger = ledger
    this.random = random
  }

  /**
   * Writes until the server dies.
   * @throws Error if the server rejects a request
   */
  async run(client: Client): Promise<void> {
    while (await this.send(client, this.chooseOperation()));
  }

  /** Retries the unacknowledged request, as clients do. */
  async repeat(client: Client): Promise<void> {
    if (this.unanswered === undefined) return
    if (!(await this.send(client, this.unanswered))) throw new Error('Repeat a request: the server went away')
  }

  private async send(client: Client, operation: Operation): Promise<boolean> {
    this.unanswered = operation
    const answer = await client.post(operation.path, operation.body).catch(() => undefined)
    if (answer === undefined) return false
    if (answer.status !== 200) throw new Error(`${operation.path} answered ${answer.status}: ${answer.text}`)
    this.ledger.acknowledge(operation)
    this.unanswered = undefined
    this.acknowledged++
    return true
  }

  private chooseOperation(): Operation {
    const choice = this.random.next()
    if (choice < 0.5) return this.upsertBatch()
    if (choice < 0.7) return this.complete()
    if (choice < 0.85) return this.update()
    return this.delete()
  }

  private upsertBatch(): Operation {
    const effects: Effect[] = []
    const batch: unknown[] = []
    const add = (mode: 'start' | 'end', id: string) => {
      const members = mode === 'start' ? this.startMembers(id) : this.endMembers()
      effects.push({ id, does: 'merge', members })
      batch.push({ mode, req: { [mode]: { project_id: this.ledger.projectId, id, ...members } } })
    }
    for (const id of this.chooseIds(this.random.between(1, 20))) {
      const choice = this.random.next()
      if (choice < 0.65) add('start', id)
      if (choice > 0.35) add('end', id)
    }
    return { path: '/call/upsert_batch', body: { batch }, effects }
  }

  private complete(): Operation {
    const calls = this.chooseIds(this.random.between(1, 30)).map((id) => ({
      id,
      members: { ...this.startMembers(id), ...this.endMembers() },
    }))
    const batch = calls.map(({ id, members }) => ({ project_id: this.ledger.projectId, id, ...members }))
    return {
      path: `/v2/${this.ledger.projectId}/calls/complete`,
      body: { batch },
      effects: calls.map(({ id, members }) => ({ id, does: 'merge', members })),
    }
  }

  private update(): Operation {
    const id = this.someId()
    const members = { display_name: this.mark() }
    const body = { project_id: this.ledger.projectId, call_id: id, ...members }
    return { path: '/call/update', body, effects: [{ id, does: 'merge', members }] }
  }

  private delete(): Operation {
    const ids = Array.from({ length: this.random.between(1, 4) }, () => this.someId())
    return {
      path: '/calls/delete',
      body: { project_id: this.ledger.projectId, call_ids: ids },
      effects: this.ledger.withDescendants(ids).map((id) => ({ id, does: 'delete' })),
    }
  }

  private startMembers(id: string): Members {
    const index = Number(id.slice(id.lastIndexOf('-') + 1))
    const root = index - (index % callsPerTree)
    return {
      op_name: this.random.pick(['answer', 'retrieve', 'summarize']),
      trace_id: `trace-${this.name}-${root}`,
      parent_id: index === root ? null : `${this.name}-${root}`,
      thread_id: this.random.pick(['thread', null]),
      started_at: `2024-05-01T10:00:${this.fraction()}Z`,
      attributes: { mark: this.mark() },
      inputs: { text: this.random.pick(['"ä"', '\u{1f600}']).repeat(this.payloadLength()) },
      ext_run_step: this.random.below(1000),
    }
  }

  private endMembers(): Members {
    return {
      ended_at: `2024-05-01T11:00:${this.fraction()}Z`,
      output: { mark: this.mark(), text: 'x'.repeat(this.payloadLength()) },
      summary: { usage: { model: { requests: this.random.below(5) } } },
      exception: this.random.pick(['it went wrong', null, null]),
      ext_run_step_end: this.random.below(1000),
    }
  }

  /** Seconds with a fraction in the API's format. */
  private fraction(): string {
    const second = String(this.random.below(60)).padStart(2, '0')
    return `${second}.${String(this.random.between(1, 999_999)).padStart(6, '0')}`
  }

  /** Mostly short, occasionally larger than a few pages of the file system. */
  private payloadLength(): number {
    return this.random.chance(0.03) ? this.random.below(40_000) : this.random.below(200)
  }

  private mark(): string {
    return `${this.name}-mark-${this.marks++}`
  }

  /** Distinct ids, both new and old. */
  private chooseIds(count: number): string[] {
    return [...new Set(Array.from({ length: count }, () => (this.random.chance(0.6) ? this.newId() : this.someId())))]
  }

  private newId(): string {
    return `${this.name}-${this.next++}`
  }

  private someId(): string {
    return this.next === 0 ? this.newId() : `${this.name}-${this.random.below(this.next)}`
  }
}
