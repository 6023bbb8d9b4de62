import type { Client } from '../conformance/support/client.ts'
import { exportOf, groupOf, newTraceId, send, spanOf } from '../conformance/support/otlp.ts'
import { Project } from '../conformance/support/project.ts'
import type { Random } from '../store/random.ts'

/** Sends exports of spans one by one and records which ones the server acknowledged. */
export class SpanSender {
  private readonly name: string
  readonly acknowledged = new Set<string>()
  /** Span ids of the unacknowledged export. */
  private unanswered: readonly string[] = []
  private readonly random: Random
  /** Added to the first span of each export as an attribute. */
  private readonly padding: string

  constructor(name: string, random: Random, paddingBytes = 0) {
    this.name = name
    this.random = random
    this.padding = 'x'.repeat(paddingBytes)
  }

  /**
   * Sends until the server dies.
   *
   * @param onAnswered called with the number of exports that were answered
   * @throws Error if the server rejects an export
   */
  async run(client: Client, onAnswered: (exports: number) => void = () => {}): Promise<void> {
    for (let answered = 1; ; answered++) {
      const traceId = newTraceId()
      const spans = Array.from({ length: this.random.between(1, 40) }, (_, index) =>
        spanOf({
          traceId,
          name: this.random.pick(['chat', 'tool']),
          attributes: {
            input: 'x'.repeat(this.random.below(2000)),
            'gen_ai.conversation.id': this.name,
            ...(index === 0 && { padding: this.padding }),
          },
        }),
      )
      this.unanswered = spans.map(({ spanId }) => spanId as string)
      const headers = { project_id: this.projectId }
      const encoding = this.random.pick(['protobuf', 'json'] as const)
      const answer = await send(client, exportOf(groupOf(spans)), encoding, {
        headers,
      }).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status !== 200 || answer.rejected !== 0)
        throw new Error(`An export was answered ${answer.status}: ${answer.message}`)
      for (const id of this.unanswered) this.acknowledged.add(id)
      this.unanswered = []
      onAnswered(answered)
    }
  }

  /**
   * Everything acknowledged exists once; the unacknowledged export exists completely or not at all.
   *
   * @returns what is not so, one per line
   */
  async differences(client: Client): Promise<string[]> {
    const found: string[] = []
    const ids = await new Project(client, 'spans', this.name).idsOf({ columns: ['id'] })
    const shown = new Set(ids)
    if (shown.size !== ids.length) found.push(`${this.name}: ${ids.length - shown.size} spans are answered twice`)
    const lost = [...this.acknowledged].filter((id) => !shown.has(id))
    if (lost.length > 0) found.push(`${this.name}: ${lost.length} acknowledged spans are lost, such as ${lost[0]}`)
    const unknown = ids.filter((id) => !this.acknowledged.has(id))
    const isPart = unknown.length !== 0 && unknown.length !== this.unanswered.length
    if (isPart || unknown.some((id) => !this.unanswered.includes(id)))
      found.push(`${this.name}: ${unknown.length} of ${this.unanswered.length} unacknowledged spans are there`)
    for (const id of unknown) this.acknowledged.add(id)
    return found
  }

  get projectId(): string {
    return `spans/${this.name}`
  }
}
