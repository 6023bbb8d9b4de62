import { ruleLimits } from '../../lib/limits/rules.ts'
import { AddressRefused } from '../../runtime/outbound/guard-address.ts'
import type { GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import { decodeBase64, hmacBase64 } from '../../runtime/platform/crypto.ts'
import type { ProjectReader } from '../access/index.ts'
import { ActionFailed, type RuleSecrets } from './rule-secrets.ts'

/** Outcome of a delivery attempt. */
export interface Attempt {
  readonly status: number | null
  /** Null if the receiver accepted the webhook. */
  readonly error: string | null
  /** The beginning of the response; null if there was none, or no text in it. */
  readonly answer: string | null
}

/**
 * Headers of a webhook: id, time and signature as the Standard Webhooks specification has them.
 *
 * @param seconds time of the attempt in unix seconds
 */
function webhookHeaders(id: string, seconds: number, body: string, secret: string): Record<string, string> {
  const key = decodeBase64(secret.replace(/^whsec_/, ''))
  if (key === undefined) throw new ActionFailed('The signing secret of the rule is not base64; set it again')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${hmacBase64(key, `${id}.${seconds}.${body}`)}`,
  }
}

/** Sends webhooks. */
export class Webhooks {
  private readonly requests: GuardedRequests
  private readonly secrets: RuleSecrets

  constructor(options: { requests: GuardedRequests; secrets: RuleSecrets }) {
    this.requests = options.requests
    this.secrets = options.secrets
  }

  /** Makes one attempt. Any status from 200 to 299 is a success. */
  async send(
    reader: ProjectReader,
    ruleId: string,
    webhook: { readonly id: string; readonly url: string; readonly body: string; readonly nowMs: number },
    signal: AbortSignal,
  ): Promise<Attempt> {
    const { id, url, body, nowMs } = webhook
    const timeout = AbortSignal.timeout(ruleLimits.webhookTimeoutMs)
    try {
      const { headers, signing_secret = '' } = await this.secrets.get(reader, ruleId, url)
      const signed = webhookHeaders(id, Math.floor(nowMs / 1000), body, signing_secret)
      const { status, body: answered } = await this.requests.post(url, {
        headers: { ...headers, ...signed, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.any([signal, timeout]),
        answerBytesMax: ruleLimits.webhookAnswerBytesMax,
        answerMsMax: ruleLimits.webhookAnswerMsMax,
      })
      const isAccepted = status >= 200 && status < 300
      return {
        status,
        error: isAccepted ? null : `The receiver responded with status ${status}`,
        answer: new TextDecoder().decode(answered).trim() || null,
      }
    } catch (cause) {
      if (cause instanceof AddressRefused || cause instanceof ActionFailed) {
        return { status: null, error: cause.message, answer: null }
      }
      if (timeout.aborted) {
        return {
          status: null,
          error: `The receiver did not respond within ${ruleLimits.webhookTimeoutMs / 1000} seconds`,
          answer: null,
        }
      }
      // The runtimes word this differently, and their messages name internals.
      return { status: null, error: 'Could not connect to the receiver', answer: null }
    }
  }
}
