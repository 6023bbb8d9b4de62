import { createHmac } from 'node:crypto'
import type { Answer } from './client.ts'
import type { Project } from './project.ts'

type Members = Record<string, unknown>

export interface Rule {
  readonly id: string
  readonly name: string
  readonly filter: Members | null
  readonly query: unknown
  readonly sample_rate: number
  readonly condition: Members | null
  readonly action: Members & { readonly kind: string }
  readonly is_paused: boolean
  readonly status: {
    readonly state: string
    readonly alert: string | null
    readonly value: number | null
    readonly position: string | null
    readonly handled: number
    readonly passed: number
    readonly cost_today: number
    readonly capped_until: string | null
    readonly error: string | null
  }
}

export interface Delivery {
  readonly id: string
  readonly type: string
  readonly state: string
  readonly attempts: readonly {
    readonly at: string
    readonly status: number | null
    readonly error: string | null
    readonly answer: string | null
  }[]
  readonly body: Members
  readonly next_attempt_at: string | null
}

/** A line of a dry run, with the members of its kind. */
interface DryRunLine {
  readonly kind: 'start' | 'call' | 'end'
  readonly calls: number
  readonly calls_last_day: number
  readonly call_id: string
  readonly scores: readonly {
    readonly scorer_ref: string
    readonly value: unknown
    readonly error: string | null
    readonly cost: number
  }[]
  readonly scored: number
  readonly failed: number
  readonly cost: number
  readonly cost_per_day: number | null
  readonly stopped: string | null
}

interface DryRun {
  readonly start: DryRunLine
  readonly calls: readonly DryRunLine[]
  readonly end: DryRunLine
}

export interface Backfill {
  readonly id: string
  readonly start: string
  readonly end: string
  readonly state: string
  readonly total: number | null
  readonly done: number
  readonly scored: number
  readonly failed: number
  readonly cost: number
  readonly stopped: string | null
  readonly error: string | null
}

/** Requests on the rules of one project, whatever the answer. */
export class Rules {
  readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  create(members: Members): Promise<Answer<{ rule: Rule; signing_secret: string | null }>> {
    return this.project.client.post('/rules', { project_id: this.project.id, name: 'rule', ...members })
  }

  list(): Promise<Answer<{ rules: Rule[] }>> {
    return this.project.client.post('/rules/query', { project_id: this.project.id })
  }

  read(id: string): Promise<Answer<{ rule: Rule }>> {
    return this.project.client.get(this.withProject(id))
  }

  update(id: string, members: Members): Promise<Answer<{ rule: Rule }>> {
    return this.project.client.put(`/rules/${id}`, { project_id: this.project.id, ...members })
  }

  delete(id: string): Promise<Answer<{ rule: Rule }>> {
    return this.project.client.delete(this.withProject(id))
  }

  test(id: string): Promise<Answer<{ delivery_id: string }>> {
    return this.project.client.post(`/rules/${id}/test`, { project_id: this.project.id })
  }

  deliveries(id: string, members: Members = {}): Promise<Answer<{ deliveries: Delivery[] }>> {
    return this.project.client.post(`/rules/${id}/deliveries/query`, { project_id: this.project.id, ...members })
  }

  /** Lines of a dry run. */
  async dryRun(id: string, members: Members = {}): Promise<DryRun> {
    const answer = await this.project.client.post(`/rules/${id}/dry_run`, { project_id: this.project.id, ...members })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    const lines: DryRunLine[] = answer.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    const [start, end] = (['start', 'end'] as const).map((kind) => lines.find((line) => line.kind === kind))
    return { start: start!, calls: lines.filter(({ kind }) => kind === 'call'), end: end! }
  }

  startBackfill(id: string, members: Members): Promise<Answer<{ backfill: Backfill }>> {
    return this.project.client.post(`/rules/${id}/backfills`, { project_id: this.project.id, ...members })
  }

  backfills(id: string): Promise<Answer<{ backfills: Backfill[] }>> {
    return this.project.client.post(`/rules/${id}/backfills/query`, { project_id: this.project.id })
  }

  cancelBackfill(id: string, backfillId: string): Promise<Answer<{ backfill: Backfill }>> {
    const body = { project_id: this.project.id }
    return this.project.client.post(`/rules/${id}/backfills/${backfillId}/cancel`, body)
  }

  private withProject(id: string): string {
    return `/rules/${id}?${new URLSearchParams({ project_id: this.project.id })}`
  }
}

export interface ReceivedWebhook {
  readonly headers: Headers
  readonly text: string
  readonly body: Members & { readonly type: string; readonly data: Members }
}

/** Receives webhooks on this machine, and answers each with the next of the given statuses. */
export class WebhookReceiver implements Disposable {
  readonly received: ReceivedWebhook[] = []
  /** Statuses of the next answers; 204 after that. */
  readonly statuses: number[] = []
  /** Text of every answer that has one; `endless` begins with it and does not end. */
  answer: string | undefined
  isEndless = false
  private readonly server: Bun.Server<undefined>

  constructor() {
    this.server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const text = await request.text()
        this.received.push({ headers: request.headers, text, body: JSON.parse(text) })
        const status = this.statuses.shift() ?? 204
        if (this.isEndless) return new Response(endless(this.answer ?? ''), { status: 200 })
        return new Response(status === 204 ? null : this.answer, { status })
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/hook`
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type)
  }

  [Symbol.dispose](): void {
    void this.server.stop(true)
  }
}

/** A body that begins with `text` and does not end. */
const endless = (text: string): ReadableStream =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })

/** The signature that the Standard Webhooks specification prescribes. */
export function signatureOf({ headers, text }: ReceivedWebhook, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${text}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
