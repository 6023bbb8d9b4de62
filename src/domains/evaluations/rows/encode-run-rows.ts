import { decodeBase64, encodeBase64 } from '../../../runtime/platform/crypto.ts'
import type { RowScore, RunRows, UsedScorer } from './run-rows.ts'

/** The cells that hold the rows of a run. */
export interface EncodedRows {
  readonly row_count: number
  readonly digests: string
  readonly first_trials: string
  readonly numbers: string
  readonly details: string
}

interface Details {
  readonly scores: readonly Omit<RowScore, 'values'>[]
  readonly failed_calls: readonly (readonly [number, string])[]
  readonly scorers: readonly UsedScorer[]
  readonly is_cut: boolean
}

const floatBytes = 8
const countBytes = 4

/** The rows of a run as the cells of a stored row. */
export function encodeRows(rows: RunRows): EncodedRows {
  const count = rows.digests.length
  const floats = [rows.startedAt, rows.latency, rows.cost, ...rows.scores.map(({ values }) => values)]
  const counts = [rows.trials, rows.failed]
  const bytes = new Uint8Array(count * (floats.length * floatBytes + counts.length * countBytes))
  let offset = 0
  for (const { buffer, byteOffset, byteLength } of [...floats, ...counts]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset)
    offset += byteLength
  }
  const details: Details = {
    scores: rows.scores.map(({ path, isRate }) => ({ path, isRate })),
    failed_calls: [...rows.failedCalls],
    scorers: rows.scorers,
    is_cut: rows.isCut,
  }
  return {
    row_count: count,
    digests: JSON.stringify(rows.digests),
    first_trials: JSON.stringify(rows.firstTrials),
    numbers: `"${encodeBase64(bytes)}"`,
    details: JSON.stringify(details),
  }
}

/**
 * Reads such cells. Runs over the same rows share the list of their digests.
 *
 * @param lists lists that were read before, by their text
 * @returns undefined if the cells do not fit each other
 */
export function decodeRows(encoded: EncodedRows, lists: Map<string, readonly string[]>): RunRows | undefined {
  const { row_count: count } = encoded
  const known = lists.get(encoded.digests)
  const digests: readonly string[] = known ?? JSON.parse(encoded.digests)
  if (known === undefined) lists.set(encoded.digests, digests)
  const firstTrials: readonly string[] = JSON.parse(encoded.first_trials)
  const details: Details = JSON.parse(encoded.details)
  const bytes = decodeBase64(encoded.numbers.slice(1, -1))
  const arrays = 3 + details.scores.length
  if (bytes?.length !== count * (arrays * floatBytes + 2 * countBytes) || digests.length !== count) return undefined
  // Aligned, which a part of a larger buffer need not be.
  const { buffer } = new Uint8Array(bytes)
  const floats = (index: number) => new Float64Array(buffer, index * count * floatBytes, count)
  const counts = (index: number) =>
    new Uint32Array(buffer, arrays * count * floatBytes + index * count * countBytes, count)
  return {
    digests,
    firstTrials,
    startedAt: floats(0),
    latency: floats(1),
    cost: floats(2),
    scores: details.scores.map((score, index) => ({ ...score, values: floats(3 + index) })),
    trials: counts(0),
    failed: counts(1),
    failedCalls: new Map(details.failed_calls),
    scorers: details.scorers,
    isCut: details.is_cut,
  }
}
