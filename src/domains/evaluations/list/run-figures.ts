import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import { meanInterval } from '../comparison/bootstrap.ts'
import { resamplesFor } from '../comparison/compare-scores.ts'
import { wilsonInterval } from '../comparison/intervals.ts'
import { readScorers } from '../comparison/versions.ts'
import type { ListedScore } from '../model/run-list.ts'
import { type Compared, findCompared } from '../results/trials.ts'
import { isRate, keepRows, readRowScores } from '../rows/row-scores.ts'
import type { UsedScorer } from '../rows/run-rows.ts'
import { firstTrialsStatement, type RowTables, slotsStatement } from '../sql/row-scores.ts'
import { latencyStatement, progressStatement, runUsageStatement } from '../sql/run-figures.ts'

/** What the calls of a run say of it. */
export interface RunFigures {
  readonly begun: number
  readonly ended: number
  readonly failed: number
  readonly scores: readonly ListedScore[]
  /** The versions of scorers that its calls name; those that score it later have others. */
  readonly scorers: readonly UsedScorer[]
  readonly latencySeconds: number | null
  /** Sums by model, as in `summary.usage`; undefined without any. */
  readonly usage: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined
}

const none = { begun: 0, ended: 0, failed: 0 }

/** Reads the figures of some runs from their calls. @param ids at least one @returns by id */
export async function readFigures(
  snapshot: Snapshot,
  reader: ProjectReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RunFigures>> {
  const compared = await findCompared(snapshot, reader, ids, { datasetRows: false })
  const tables = await keepRows(snapshot, compared)
  const progress = new Map(
    (await snapshot.rows(progressStatement(tables.trials))).map((each) => [each.evaluation, each]),
  )
  const latencies = await snapshot.rows(latencyStatement(compared.scope))
  const seconds = new Map(latencies.map((each) => [each.evaluation, each.seconds]))
  const usages = await usageByTrace(snapshot, compared)
  const values = await readValues(snapshot, tables)
  const trials = await snapshot.rows(firstTrialsStatement(tables, operationLimits.trialsOfVersions))
  const scorers = Map.groupBy(await readScorers(snapshot, reader, trials), ({ evaluationId }) => evaluationId)
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
      scorers: (scorers.get(id) ?? []).map(({ name, ref }) => ({ name, ref })),
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
async function readValues(
  snapshot: Snapshot,
  tables: RowTables,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Values>>> {
  const evaluations: string[] = []
  for (const { evaluation, first, count } of await snapshot.rows(slotsStatement(tables)))
    for (let slot = first; slot < first + count; slot++) evaluations[slot] = evaluation
  const found = new Map<string, Map<number, Values>>()
  const { paths } = await readRowScores(snapshot, tables, ({ path, slot, mean, kinds }) => {
    if (mean === null) return
    const evaluation = itemAt(evaluations, slot)
    const ofRun = found.get(evaluation) ?? new Map<number, Values>()
    found.set(evaluation, ofRun)
    const known = ofRun.get(path) ?? { means: [], isRate: true }
    ofRun.set(path, known)
    known.means.push(mean)
    known.isRate &&= isRate(kinds)
  })
  // The deeper one, if two paths have the same name.
  const named = (values: ReadonlyMap<number, Values>): ReadonlyMap<string, Values> =>
    new Map([...values].sort(([a], [b]) => a - b).map(([path, of]) => [itemAt(paths, path).join('.'), of]))
  return new Map([...found].map(([evaluation, values]) => [evaluation, named(values)]))
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
