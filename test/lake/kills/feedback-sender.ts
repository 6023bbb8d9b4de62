import type { Client } from '../../conformance/support/client.ts'

const feedbackAtOnceMax = 10_000

/**
 * Sends feedback, which has no id of its own, with idempotency keys, so that it may be repeated.
 */
export class FeedbackSender {
  private readonly project: string
  private next = 0
  /** Feedback that a node has accepted. */
  accepted = 0

  constructor(name: string) {
    this.project = `kills/${name}`
  }

  /**
   * Sends until a request fails.
   * @throws Error if the server rejects one
   */
  async run(client: Client): Promise<void> {
    for (;;) {
      const answer = await this.send(client, this.next).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status !== 200) throw new Error(`feedback/create answered ${answer.status}: ${answer.text}`)
      this.accepted = ++this.next
    }
  }

  /** What is lost or doubled, one per line. */
  async differences(client: Client): Promise<string[]> {
    const { status, json } = await client.post<{ result: { payload: { n: number } }[] }>('/feedback/query', {
      project_id: this.project,
      limit: feedbackAtOnceMax,
    })
    if (status !== 200) return [`feedback/query answered ${status}`]
    const counts = new Map<number, number>()
    for (const { payload } of json.result) counts.set(payload.n, (counts.get(payload.n) ?? 0) + 1)
    const sent = Array.from({ length: this.accepted }, (_, n) => n)
    return [
      ...sent.filter((n) => !counts.has(n)).map((n) => `feedback ${n} of ${this.project} is lost`),
      ...[...counts].filter(([, count]) => count > 1).map(([n, count]) => `feedback ${n} is there ${count} times`),
    ]
  }

  private send(client: Client, n: number) {
    const body = {
      project_id: this.project,
      ext_ref: `ext:///${this.project}/call/a`,
      feedback_type: 'custom',
      payload: { n },
    }
    return client.post('/feedback/create', body, { headers: { 'idempotency-key': `${this.project}-${n}` } })
  }
}
