import { apiUrl } from '../api/api-request.ts'
import { post } from '../api/client.ts'
import type { Item } from './queues.ts'

/** An item that is kept for the reviewer. */
export interface Claimed {
  readonly item: Item
  readonly expires_at: string
  readonly lease_seconds: number
}

/** What a claim answers. */
export interface ClaimAnswer {
  readonly claim: Claimed | null
  readonly yours: number
  readonly left: number
}

const pathOf = (queueId: string, tail: string): string => `/annotation_queues/${encodeURIComponent(queueId)}/${tail}`
const itemPath = (queueId: string, itemId: string, what: string): string =>
  pathOf(queueId, `items/${encodeURIComponent(itemId)}/${what}`)

/** Requests of a reviewer about one queue. */
export const claimsOf = (projectId: string, queueId: string) => {
  const body = { project_id: projectId }
  return {
    /** @throws {Problem} */
    claim: (wanted: { readonly item_id?: string; readonly except?: readonly string[] }): Promise<ClaimAnswer> =>
      post(pathOf(queueId, 'claim'), { ...body, ...wanted }),
    /** @throws {Problem} 409 if the lease has ended */
    renew: (itemId: string): Promise<{ expires_at: string }> => post(itemPath(queueId, itemId, 'renew'), body),
    /** @throws {Problem} 409 if the lease has ended */
    submit: (itemId: string, given: { readonly answers: readonly object[]; readonly note: string }): Promise<object> =>
      post(itemPath(queueId, itemId, 'submit'), { ...body, answers: given.answers, note: given.note || null }),
    /** @throws {Problem} 409 if the lease has ended */
    skip: (itemId: string, reason: string): Promise<object> =>
      post(itemPath(queueId, itemId, 'skip'), { ...body, reason }),
    /** Lets others have items, also while the page is being closed. */
    releaseAll: (itemIds: readonly string[]): void => {
      for (const itemId of itemIds) {
        void fetch(apiUrl(itemPath(queueId, itemId, 'release')), {
          method: 'POST',
          keepalive: true,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).catch(() => undefined)
      }
    },
  }
}
