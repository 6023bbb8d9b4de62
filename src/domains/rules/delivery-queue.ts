import { ruleLimits } from '../../lib/limits/rules.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { writerOf } from './calls-worker.ts'
import type { Deliveries, StoredDelivery } from './deliveries.ts'
import type { RuleEvent } from './rule-progress.ts'
import type { StoredRule } from './stored-rule.ts'
import type { Webhooks } from './webhooks.ts'

export interface DeliveryParts {
  readonly deliveries: Deliveries
  readonly webhooks: Webhooks
  readonly clock: Clock
  readonly log: Log
}

/**
 * Delivers the webhooks of one rule one after the other, so that "resolved" never overtakes
 * "firing". Each is stored before the first attempt and after every one.
 */
export class DeliveryQueue {
  private readonly parts: DeliveryParts
  private readonly rule: StoredRule
  private readonly url: string
  private readonly pending: StoredDelivery[]
  private readonly stopping = new AbortController()
  private wake: () => void = () => {}
  private done: Promise<void> | undefined

  /** @param pending stored deliveries without success so far, the oldest first */
  constructor(parts: DeliveryParts, rule: StoredRule, url: string, pending: readonly StoredDelivery[]) {
    this.parts = parts
    this.rule = rule
    this.url = url
    this.pending = [...pending]
  }

  start(): void {
    this.done = this.run()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.wake()
    await this.done
  }

  /** Stores an event to be delivered; an event that is stored already is left as it is. */
  async add({ deliveryId, type, body, at }: RuleEvent): Promise<void> {
    const { deliveries } = this.parts
    if ((await deliveries.find(deliveryId)) !== undefined) return
    const delivery: StoredDelivery = {
      id: deliveryId,
      ruleId: this.rule.id,
      type,
      state: 'pending',
      attempts: [],
      body,
      createdAt: at,
      nextAttemptAt: at,
    }
    await deliveries.save(delivery)
    await deliveries.prune(this.rule.id)
    this.pending.push(delivery)
    this.wake()
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const [next] = this.pending
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
        continue
      }
      try {
        await this.waitFor(next)
        if (signal.aborted) return
        await this.attempt(next)
      } catch (err) {
        this.parts.log.error({ err, rule: this.rule.id }, 'could not deliver a webhook')
        await delay(ruleLimits.webhookRetryMs, signal)
      }
    }
  }

  private async waitFor({ nextAttemptAt }: StoredDelivery): Promise<void> {
    const waitMs = (nextAttemptAt ?? 0) / 1000 - this.parts.clock.nowMs()
    // The clock may have been set back.
    if (waitMs > 0) await delay(Math.min(waitMs, ruleLimits.webhookRetryMsMax), this.stopping.signal)
  }

  private async attempt(delivery: StoredDelivery): Promise<void> {
    const { webhooks, clock, deliveries, log } = this.parts
    const { signal } = this.stopping
    const nowMs = clock.nowMs()
    const webhook = { id: delivery.id, url: this.url, body: delivery.body, nowMs }
    const { status, error, answer } = await webhooks.send(writerOf(this.rule), this.rule.id, webhook, signal)
    if (signal.aborted && error !== null) return
    const attempts = [...delivery.attempts, { at: new Date(nowMs).toISOString(), status, error, answer }]
    const isLast = attempts.length >= ruleLimits.webhookAttemptsMax
    const waitMs = Math.min(ruleLimits.webhookRetryMs * 2 ** (attempts.length - 1), ruleLimits.webhookRetryMsMax)
    const isPending = error !== null && !isLast
    const after: StoredDelivery = {
      ...delivery,
      attempts,
      state: error === null ? 'delivered' : isPending ? 'pending' : 'failed',
      nextAttemptAt: isPending ? (nowMs + waitMs) * 1000 : null,
    }
    if (error !== null) log.info({ rule: this.rule.id, delivery: delivery.id, status, error }, 'a webhook failed')
    await deliveries.save(after)
    if (isPending) this.pending[0] = after
    else this.pending.shift()
  }
}
