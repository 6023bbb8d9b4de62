import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import { meanInterval } from '../comparison/bootstrap.ts'
import { resamplesFor } from '../comparison/compare-scores.ts'
import { wilsonInterval } from '../comparison/intervals.ts'
import type { ListedScore } from '../model/run-list.ts'
import { readLeaves } from '../results/summary.ts'
import { type Compared, findCompared, keepScoredTrials } from '../results/trials.ts'
import { rowScoresStatement } from '../sql/row-scores.ts'
import { latencyStatement, progressStatement, runUsageStatement } from '../sql/run-figures.ts'

/** What the calls of a run say of it. */
export interface RunFigures {
  readonly begun: number
  readonly ended: number
  readonly failed: number
  readonly scores: readonly ListedScore[]
  readonly latencySeconds: number | null
  /** Sums by model, as in `summary.usage`; undefined without any. */
  readonly usage: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined
}

const none: RunFigures = { begun: 0, ended: 0, failed: 0, scores: [], latencySeconds: null, usage: undefined }

/** Reads the figures of some runs from their calls. @param ids at least one @returns by id */
export async function readFigures(
  snapshot: Snapshot,
  reader: ProjectReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RunFigures>> {
  const compared = await findCompared(snapshot, reader, ids, { datasetRows: false })
  const table = await keepScoredTrials(snapshot, compared)
  const progress = new Map((await snapshot.rows(progressStatement(table))).map((each) => [each.evaluation, each]))
  const latencies = await snapshot.rows(latencyStatement(compared.scope))
  const seconds = new Map(latencies.map((each) => [each.evaluation, each.seconds]))
  const usages = await usageByTrace(snapshot, compared)
  const values = await readValues(snapshot, table)
  const found = new Map<string, RunFigures>()
  for (const { id, traceId } of compared.roots) {
    const { begun, ended, failed } = progress.get(id) ?? none
    const scores: ListedScore[] = []
    for (const [score, { means, isRate }] of values.get(id) ?? []) {
      scores.push(await listedScore(score, { means, isRate, answered: ended - failed }, signal))
    }
    scores.sort((a, b) => (a.score < b.score ? -1 : 1))
    found.set(id, {
      begun,
      ended,
      failed,
      scores,
      latencySeconds: seconds.get(id) ?? null,
      usage: usages.get(traceId),
    })
  }
  return found
}

interface Values {
  readonly means: number[]
  isRate: boolean
}

/** The means of the rows, by run and score. */
async function readValues(snapshot: Snapshot, table: string): Promise<Map<string, Map<string, Values>>> {
  const { leaves } = await readLeaves(snapshot, table, 'scores')
  const named = leaves.filter(({ numberCount, truthCount }) => numberCount + truthCount > 0)
  const paths = [...new Map(named.map(({ path }) => [path.join('.'), path])).entries()]
  const byRun = new Map<string, Map<string, Values>>()
  if (paths.length === 0) return byRun
  const statement = rowScoresStatement(
    table,
    paths.map(([, path]) => path),
  )
  await snapshot.forEachChunk(statement, (chunk) => {
    for (const [index, place] of chunk.place.entries()) {
      const [score] = itemAt(paths, place)
      const evaluation = itemAt(chunk.evaluation, index)
      const ofRun = byRun.get(evaluation) ?? new Map<string, Values>()
      byRun.set(evaluation, ofRun)
      const known = ofRun.get(score) ?? { means: [], isRate: true }
      ofRun.set(score, known)
      known.means.push(itemAt(chunk.mean, index))
      if (itemAt(chunk.isTruth, index) !== 1) known.isRate = false
    }
  })
  return byRun
}

/** The mean of a score with the interval that a comparison gives it. */
async function listedScore(
  score: string,
  { means, isRate, answered }: Values & { readonly answered: number },
  signal: AbortSignal,
): Promise<ListedScore> {
  // The bootstrap depends on the order of the values.
  means.sort((a, b) => a - b)
  const sum = means.reduce((total, each) => total + each, 0)
  const isBinary = isRate && means.every((value) => value === 0 || value === 1)
  const options = { resamples: resamplesFor(means.length, 1), signal }
  const interval = isBinary
    ? wilsonInterval(sum, means.length)
    : means.length < 2
      ? undefined
      : await meanInterval(Float64Array.from(means), options)
  return {
    score,
    kind: isRate ? 'rate' : 'mean',
    value: sum / means.length,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    interval: interval === undefined ? null : isBinary ? 'wilson' : 'bootstrap',
    scored_rows: means.length,
    unscored_rows: Math.max(0, answered - means.length),
  }
}

async function usageByTrace(snapshot: Snapshot, { scope }: Compared) {
  const sums = new Map<string, Record<string, Record<string, number>>>()
  await snapshot.forEachChunk(runUsageStatement(scope), ({ trace, usage }) => {
    for (const [index, id] of trace.entries()) {
      const ofTrace = sums.get(id) ?? {}
      sums.set(id, ofTrace)
      addUsage(ofTrace, JSON.parse(itemAt(usage, index)))
    }
  })
  return sums
}

/** Adds the numbers of a usage to sums by model. */
function addUsage(sums: Record<string, Record<string, number>>, usage: unknown): void {
  if (!isJsonObject(usage)) return
  for (const [model, members] of Object.entries(usage)) {
    if (!isJsonObject(members)) continue
    const sum = Object.hasOwn(sums, model) ? (sums[model] ?? {}) : {}
    Object.defineProperty(sums, model, { value: sum, enumerable: true, configurable: true, writable: true })
    for (const [name, value] of Object.entries(members)) {
      if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value
    }
  }
}
