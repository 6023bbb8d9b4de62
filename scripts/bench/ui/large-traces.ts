/** A call as `calls/complete` takes it. */
type CompleteCall = Record<string, unknown>

/** Project of the traces of the benchmark. */
export const tracesProject = { entity: 'bench', name: 'traces', id: 'bench/traces' } as const

const startedMs = Date.UTC(2026, 0, 5, 9)
const at = (ms: number): string => new Date(startedMs + ms).toISOString()
const stepsOfAgent = 99
const ops = ['openai.chat.completions.create', 'tool.search', 'retrieve', 'format']

/** A trace of `calls` calls in three levels: a root, agents, and their steps. */
export function* largeTrace(traceId: string, calls: number): Generator<CompleteCall> {
  const call = (id: string, parent_id: string | null, op_name: string, from: number, to: number): CompleteCall => ({
    project_id: tracesProject.id,
    id: `${traceId}-${id}`,
    trace_id: traceId,
    parent_id: parent_id === null ? null : `${traceId}-${parent_id}`,
    op_name,
    started_at: at(from),
    ended_at: at(to),
    attributes: {},
    inputs: {},
    output: null,
    summary: {},
  })
  yield call('root', null, 'crawl', 0, calls * 10)
  for (let made = 1, agent = 0; made < calls; agent++) {
    const from = agent * stepsOfAgent * 10
    yield call(`${agent}`, 'root', 'agent', from, from + stepsOfAgent * 10)
    made++
    for (let step = 0; step < stepsOfAgent && made < calls; step++, made++)
      yield call(`${agent}-${step}`, `${agent}`, ops[step % ops.length]!, from + step * 10, from + step * 10 + 9)
  }
}

/** A trace of one call with about `characters` characters of inputs. */
export function payloadTrace(traceId: string, characters: number): CompleteCall {
  const row = { words: 'the quick brown fox '.repeat(9), number: 12_345, flags: [true, false, null] }
  const rows = Array.from({ length: Math.ceil(characters / (JSON.stringify(row).length + 1)) }, () => row)
  const [call] = largeTrace(traceId, 1)
  return { ...call, inputs: { rows } }
}
