import type { Store } from '../../engine/store.ts'
import { tracesUrl } from '../../formats/mapping/export/export-answer.ts'
import { limits } from '../../lib/limits.ts'
import type { GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import { readSpans } from './calls-to-export.ts'
import { type CallsAction, writerOf } from './calls-worker.ts'
import { OtlpSender } from './otlp-sender.ts'
import type { RuleSecrets } from './rule-secrets.ts'
import type { StoredRule } from './stored-rule.ts'

export interface ForwardParts {
  readonly store: Store
  readonly requests: GuardedRequests
  readonly secrets: RuleSecrets
}

/** Sends calls to another receiver of OTLP. Spans keep their ids, so that it can merge repeats. */
export function forwardAction(
  { store, requests, secrets }: ForwardParts,
  rule: StoredRule,
  given: string,
): CallsAction {
  const url = tracesUrl(given)
  const headers = async () => (await secrets.get(writerOf(rule), rule.id, url)).headers
  const sender = new OtlpSender(requests, { url, headers })
  return {
    callsMax: limits.forwardedTogether,
    handle: async (calls, signal) => {
      const ids = calls.map(({ id }) => id)
      const spans = await readSpans(store, writerOf(rule), ids, signal)
      return { rejected: await sender.send(spans, signal) }
    },
  }
}
