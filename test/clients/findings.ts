import type { Finding } from './client-runs.ts'

/** A call as queries return it. */
export interface FoundCall {
  readonly op_name: string
  readonly thread_id?: string | null
  readonly attributes?: { readonly kind?: unknown }
  readonly inputs?: unknown
  readonly output?: unknown
  readonly summary?: {
    readonly usage?: Readonly<Record<string, { readonly total_tokens?: number }>>
    readonly ext?: ComputedSummary
    readonly weave?: ComputedSummary
  }
}

interface ComputedSummary {
  readonly costs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What the calls do not show. */
export function missingFindings(calls: readonly FoundCall[], wanted: readonly Finding[]): Finding[] {
  return wanted.filter((finding) => !calls.some(shows[finding]))
}

const shows: Readonly<Record<Finding, (call: FoundCall) => boolean>> = {
  model: ({ summary }) => Object.values(summary?.usage ?? {}).some(({ total_tokens = 0 }) => total_tokens > 0),
  cost: ({ summary }) =>
    Object.values((summary?.ext ?? summary?.weave)?.costs ?? {}).some((cost) =>
      Object.entries(cost).some(([name, value]) => name.endsWith('_total_cost') && Number(value) > 0),
    ),
  tool: ({ attributes }) => String(attributes?.kind).toLowerCase() === 'tool',
  text: ({ output }) => /sunny in Paris|The tool said hello/.test(JSON.stringify(output ?? null)),
  thread: ({ thread_id }) => typeof thread_id === 'string' && thread_id !== '',
}
