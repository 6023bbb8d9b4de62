import type { Backfill, DryRunLine, Rule } from '../../domains/rules/index.ts'
import { post, sendJson } from './client.ts'
import { postLines } from './lines.ts'

/** A rule that scores calls or adds them to a queue: it works on every call that matches. */
export type CallRule = Rule & {
  readonly action: Extract<Rule['action'], { kind: 'score' | 'add_to_queue' }>
}

export type { Backfill, DryRunLine }

interface Context {
  readonly signal: AbortSignal
}

const isCallRule = (rule: Rule): rule is CallRule => rule.action.kind === 'score' || rule.action.kind === 'add_to_queue'

/** Reads the rules of a project that work on calls, for the query cache. */
export const rulesQuery = (projectId: string | undefined) => ({
  queryKey: ['rules', projectId],
  queryFn: async ({ signal }: Context): Promise<readonly CallRule[]> =>
    (await post<{ rules: Rule[] }>('/rules/query', { project_id: projectId }, { signal })).rules.filter(isCallRule),
})

/** What the form of a rule sets. */
export interface RuleChange {
  readonly name: string
  readonly filter: { readonly trace_roots_only: boolean }
  /** Null for none; omitted if it stays as it is. */
  readonly query?: unknown
  readonly sample_rate: number
  /** In US dollars; 0 for none. */
  readonly daily_cost_max: number
  readonly action: CallRule['action']
}

/** Creates a rule that is not on yet. @throws {Problem} */
export const createRule = async (projectId: string, change: RuleChange): Promise<Rule> =>
  (await post<{ rule: Rule }>('/rules', { project_id: projectId, is_paused: true, ...change })).rule

/** Changes a rule, or turns it on or off. @throws {Problem} */
export const changeRule = (
  projectId: string,
  id: string,
  change: Partial<RuleChange> & { readonly is_paused?: boolean },
): Promise<unknown> => sendJson('PUT', pathOf(id), { project_id: projectId, ...change })

/** @throws {Problem} */
export const deleteRule = (projectId: string, id: string): Promise<unknown> =>
  sendJson('DELETE', `${pathOf(id)}?project_id=${encodeURIComponent(projectId)}`)

/** Lines of a dry run, in batches as they arrive. @throws {Problem} */
export const dryRun = (projectId: string, id: string, signal: AbortSignal) =>
  postLines<DryRunLine>(`${pathOf(id)}/dry_run`, { project_id: projectId }, { signal })

/** Reads the last backfills of a rule, for the query cache. */
export const backfillsQuery = (projectId: string, id: string) => ({
  queryKey: ['backfills', projectId, id],
  queryFn: async ({ signal }: Context): Promise<readonly Backfill[]> =>
    (await post<{ backfills: Backfill[] }>(`${pathOf(id)}/backfills/query`, { project_id: projectId }, { signal }))
      .backfills,
})

/** Starts to score stored calls. @throws {Problem} */
export const startBackfill = (
  projectId: string,
  id: string,
  wanted: { readonly start: string; readonly cost_max: number | null },
): Promise<unknown> => post(`${pathOf(id)}/backfills`, { project_id: projectId, ...wanted })

/** @throws {Problem} */
export const cancelBackfill = (projectId: string, id: string, backfillId: string): Promise<unknown> =>
  post(`${pathOf(id)}/backfills/${encodeURIComponent(backfillId)}/cancel`, { project_id: projectId })

const pathOf = (id: string): string => `/rules/${encodeURIComponent(id)}`
