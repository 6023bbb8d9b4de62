import type { Delivery, Rule, RuleActionSent, RuleCondition } from '../../domains/rules/index.ts'
import { post, sendJson } from './client.ts'

/** A rule that sends requests: an alert with a webhook, or one that forwards calls. */
export type Sender = Rule & { readonly action: Extract<Rule['action'], { url: string }> }

/** When an alert fires. */
export type Condition = NonNullable<Rule['condition']>

/** One webhook request with its attempts. */
export type { Delivery }

interface Context {
  readonly signal: AbortSignal
}

const isSender = (rule: Rule): rule is Sender => 'url' in rule.action

/** Reads the alerts and forwarding rules of a project, for the query cache. */
export const sendersQuery = (projectId: string | undefined) => ({
  queryKey: ['senders', projectId],
  queryFn: async ({ signal }: Context): Promise<readonly Sender[]> =>
    (await post<{ rules: Rule[] }>('/rules/query', { project_id: projectId }, { signal })).rules.filter(isSender),
})

/** Reads the last webhook requests of an alert, for the query cache. */
export const deliveriesQuery = (projectId: string, id: string, limit: number) => ({
  queryKey: ['deliveries', projectId, id, limit],
  queryFn: async ({ signal }: Context): Promise<readonly Delivery[]> =>
    (
      await post<{ deliveries: Delivery[] }>(
        `${pathOf(id)}/deliveries/query`,
        { project_id: projectId, limit },
        { signal },
      )
    ).deliveries,
})

/** What the form of an alert or of a forwarding rule sets. */
export interface SenderChange {
  readonly name: string
  readonly query: unknown
  readonly sample_rate?: number
  readonly condition?: RuleCondition
  /** Headers that are omitted stay as they are, as long as the host does. */
  readonly action: RuleActionSent
}

/** Creates one. @returns the secret that its requests are signed with @throws {Problem} */
export const createSender = async (projectId: string, change: SenderChange): Promise<string | null> =>
  (await post<{ signing_secret: string | null }>('/rules', { project_id: projectId, ...change })).signing_secret

/** Changes one, or pauses and resumes it. @throws {Problem} */
export const changeSender = (
  projectId: string,
  id: string,
  change: Partial<SenderChange> & { readonly is_paused?: boolean },
): Promise<unknown> => sendJson('PUT', pathOf(id), { project_id: projectId, ...change })

/** Deletes one with its deliveries. @throws {Problem} */
export const deleteSender = (projectId: string, id: string): Promise<unknown> =>
  sendJson('DELETE', `${pathOf(id)}?project_id=${encodeURIComponent(projectId)}`)

/** Has a test request sent. @returns the id of its delivery @throws {Problem} */
export const testSender = async (projectId: string, id: string): Promise<string> =>
  (await post<{ delivery_id: string }>(`${pathOf(id)}/test`, { project_id: projectId })).delivery_id

const pathOf = (id: string): string => `/rules/${encodeURIComponent(id)}`
