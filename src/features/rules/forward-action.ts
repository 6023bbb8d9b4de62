import type { GuardedRequests } from '../../foundation/outbound/guarded-requests.ts'
import { limits } from '../../limits.ts'
import { tracesUrl } from '../../mapping/export/export-answer.ts'
import type { StoredRule } from '../../records/rules/stored-rule.ts'
import type { Store } from '../../store/store.ts'
import { readSpans } from './calls-to-export.ts'
import { type CallsAction, writerOf } from './calls-worker.ts'
import { OtlpSender } from './otlp-sender.ts'
import type { RuleSecrets } from './rule-secrets.ts'

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
