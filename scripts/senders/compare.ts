import type { PatientClient } from './patient-client.ts'
import type { Tally } from './tally.ts'

/** One number of ours beside the server's. */
export interface Comparison {
  readonly what: string
  readonly sent: number
  readonly held: number
}

/** The server bounds the members of a filter at 1000 values. */
const traceIdsPerRequest = 500

/**
 * Asks the server, by `POST /calls/query_stats`, how many of the traces in `tally` it holds: all
 * calls, roots, each op and each status. Looks at these traces only, so other content of the
 * project does not disturb.
 */
export async function compare(client: PatientClient, projectId: string, tally: Tally): Promise<Comparison[]> {
  const count = async (filter: object, query?: object): Promise<number> => {
    let held = 0
    for (let from = 0; from < tally.traceIds.length; from += traceIdsPerRequest) {
      const traceIds = tally.traceIds.slice(from, from + traceIdsPerRequest)
      const request = { project_id: projectId, filter: { ...filter, trace_ids: traceIds }, query: query ?? null }
      held += countIn(await client.post('/calls/query_stats', JSON.stringify(request)))
    }
    return held
  }

  const comparisons: Comparison[] = [
    { what: 'calls', sent: tally.calls, held: await count({}) },
    { what: 'roots', sent: tally.roots, held: await count({ trace_roots_only: true }) },
  ]
  for (const [op, sent] of [...tally.perOp].sort()) {
    comparisons.push({ what: op, sent, held: await count({ op_names: [op] }) })
  }
  for (const [status, sent] of tally.perStatus) {
    // What succeeded may have failed calls below it.
    const asStored = status === 'success' ? ['success', 'descendant_error'] : [status]
    const literals = asStored.map(($literal) => ({ $literal }))
    const query = { $expr: { $in: [{ $getField: 'summary.ext.status' }, literals] } }
    comparisons.push({ what: `status ${status}`, sent, held: await count({}, query) })
  }
  return comparisons
}

function countIn(answer: unknown): number {
  if (typeof answer === 'object' && answer !== null && 'count' in answer && typeof answer.count === 'number') {
    return answer.count
  }
  throw new Error(`Read the answer of /calls/query_stats: no count in ${JSON.stringify(answer)}`)
}

/** The comparisons as a table for people; ✓ where the numbers agree, ✗ where not. */
export function formatComparisons(comparisons: readonly Comparison[]): string {
  const width = Math.max(...comparisons.map(({ what }) => what.length))
  const lines = comparisons.map(({ what, sent, held }) => {
    const mark = sent === held ? '✓' : '✗'
    return `${mark} ${what.padEnd(width)} ${String(sent).padStart(8)} ${String(held).padStart(8)}`
  })
  return [`  ${' '.repeat(width)} ${'sent'.padStart(8)} ${'held'.padStart(8)}`, ...lines].join('\n')
}
