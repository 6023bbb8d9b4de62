import type { TraceAnswer } from './trace-answer.ts'

/** A call of a made-up trace, for tests. */
export interface SampleCall {
  readonly id: string
  readonly op?: string
  readonly kind?: string
  readonly status?: string
  readonly start: number
  readonly end: number | null
  readonly children?: readonly SampleCall[]
  /** Children that the answer leaves out. */
  readonly missing?: number
}

/** Answer of `POST /trace/read` for a made-up tree. */
export function sampleTrace(...roots: readonly SampleCall[]): TraceAnswer {
  const rows: { call: SampleCall; parent: number; depth: number }[] = []
  const visit = (call: SampleCall, parent: number, depth: number) => {
    const row = rows.push({ call, parent, depth }) - 1
    for (const child of call.children ?? []) visit(child, row, depth + 1)
  }
  for (const root of roots) visit(root, -1, 0)
  const list = <Value>(of: (call: SampleCall) => Value) => rows.map(({ call }) => of(call))
  const opOf = ({ id, op }: SampleCall) => op ?? id
  const kindOf = ({ kind }: SampleCall) => kind ?? 'function'
  const statusOf = ({ status, end }: SampleCall) => status ?? (end === null ? 'running' : 'success')
  const ops = [...new Set(list(opOf))]
  const kinds = [...new Set(list(kindOf))]
  const statuses = [...new Set(list(statusOf))]
  const countBelow = (call: SampleCall): number =>
    (call.missing ?? 0) + (call.children ?? []).reduce((sum, child) => sum + 1 + countBelow(child), 0)
  return {
    trace_id: 'trace',
    call_count: roots.reduce((sum, root) => sum + 1 + countBelow(root), 0),
    is_complete: list(({ missing }) => missing ?? 0).every((missing) => missing === 0),
    started_at: '2026-11-22T10:00:00.000Z',
    ended_at: null,
    read_at: null,
    thread_id: null,
    ops,
    kinds,
    models: [],
    statuses,
    call_ids: list(({ id }) => id),
    parent: rows.map(({ parent }) => parent),
    depth: rows.map(({ depth }) => depth),
    op: list((call) => ops.indexOf(opOf(call))),
    kind: list((call) => kinds.indexOf(kindOf(call))),
    status: list((call) => statuses.indexOf(statusOf(call))),
    name: list(() => null),
    start_ms: list(({ start }) => start),
    duration_ms: list(({ start, end }) => (end === null ? null : end - start)),
    child_count: list(({ children, missing }) => (children?.length ?? 0) + (missing ?? 0)),
    descendant_count: list(countBelow),
    model: list(() => -1),
    tokens_in: list(() => null),
    tokens_out: list(() => null),
    tokens_cached: list(() => null),
    cost: list(() => null),
    total_tokens: list(() => null),
    total_cost: list(() => null),
    feedback_count: list(() => 0),
    is_usage_repeated: list(() => false),
    has_error_inside: list((call) => statusOf(call) === 'descendant_error'),
  }
}
