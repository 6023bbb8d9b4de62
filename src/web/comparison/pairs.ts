import type { Static } from '@sinclair/typebox'
import type { EvalResults } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import type { Pair } from '../review/queues.ts'
import { type RowsAsked, readRows } from './comparison-data.ts'

const pageMax = 1_000
/** Rows whose outputs are read by one request. */
const rowsAtOnce = 200

/** Pairs of outputs to the same rows. */
export interface FoundPairs {
  readonly pairs: readonly Pair[]
  /** Rows whose outputs are equal. */
  readonly same: number
  /** Rows to which a run has no output. */
  readonly missing: number
}

/**
 * Reads pairs of calls that gave the outputs of two runs to rows that are shown, which are drawn at
 * random and in random order.
 *
 * @param count rows that are drawn
 * @throws {Problem}
 */
export async function readPairs(asked: RowsAsked, runs: Pair, count: number): Promise<FoundPairs> {
  const digests = shuffled(await digestsOf(asked)).slice(0, count)
  const pairs: Pair[] = []
  let same = 0
  for (let from = 0; from < digests.length; from += rowsAtOnce) {
    const some = digests.slice(from, from + rowsAtOnce)
    const body = {
      evaluation_call_ids: runs,
      filters: [
        { query: { $expr: { $in: [{ $getField: 'row_digest' }, some.map((digest) => ({ $literal: digest }))] } } },
      ],
      limit: rowsAtOnce,
    }
    const { rows } = await post<Static<typeof EvalResults>>(`/v2/${asked.projectId}/eval_results/query`, body)
    const byDigest = new Map(rows.map((row) => [row.row_digest, row]))
    for (const digest of some) {
      const trials = byDigest.get(digest)?.evaluations ?? []
      const [a, b] = runs.map((run) => trials.find(({ evaluation_call_id }) => evaluation_call_id === run)?.trials[0])
      if (!a?.predict_call_id || !b?.predict_call_id || a.model_output == null || b.model_output == null) continue
      if (JSON.stringify(a.model_output) === JSON.stringify(b.model_output)) same++
      else pairs.push([a.predict_call_id, b.predict_call_id])
    }
  }
  return { pairs, same, missing: digests.length - pairs.length - same }
}

async function digestsOf(asked: RowsAsked): Promise<string[]> {
  const digests: string[] = []
  let total = 1
  for (let page = 0; page * pageMax < total; page++) {
    const { rows, total_rows } = await readRows(asked, page, undefined, pageMax)
    total = total_rows
    for (const { row_digest } of rows) digests.push(row_digest)
  }
  return digests
}

/** The same items in random order. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = items.map((item) => ({ item, at: Math.random() }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
