import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { ComparedRows, ComparedRowsRequest } from '../model/comparison.ts'
import { parseRows } from '../plan/parse.ts'
import { keepTrials } from '../results/results.ts'
import { findCompared } from '../results/trials.ts'
import { examplesStatement } from '../sql/row-measures.ts'
import { rowsStatement } from '../sql/rows.ts'
import type { ComparedRunRows } from './compared-rows.ts'
import { checkScores, comparedIds, meanOf } from './comparison.ts'
import { readPage } from './page-texts.ts'
import { type Changes, changesOf, selectRows } from './row-order.ts'
import type { ComparisonView, ComparisonViews } from './views.ts'

type SliceOfRun = ComparedRows['runs'][number]

/** The rows of compared runs: sorted, filtered and by page. */
export class EvaluationRows {
  private readonly store: Store
  private readonly views: ComparisonViews

  constructor({ store, views }: { store: Store; views: ComparisonViews }) {
    this.store = store
    this.views = views
  }

  /** @throws DomainError InvalidRequest, InvalidField, NotFound for a run without trials */
  async query(reader: ProjectReader, request: ComparedRowsRequest, signal: AbortSignal): Promise<ComparedRows> {
    const { ids, baseline } = comparedIds(request)
    const sortRun = request.sort_run ?? baseline
    if (!ids.includes(sortRun)) {
      throw new DomainError('InvalidRequest', `Sort by ${quoted(sortRun)}: it is not one of the runs`)
    }
    const view = await this.views.of(reader, ids, request.view, signal)
    const { rows } = view
    if (request.score != null) checkScores(rows, [request.score])
    const score = request.score ?? rows.scores[0] ?? null
    const changes = changesOf(rows, {
      ids,
      baseline: ids.indexOf(baseline),
      score,
      margin: request.margin ?? 0,
      lowerIsBetter: request.lower_is_better === true,
    })
    const tables = [callsTable.name, tableRows.name]
    return await this.store.read(tables, { projectId: reader.projectId, signal }, async (snapshot) => {
      const matches = await matching(snapshot, reader, { view, ids, query: request.query })
      const selected = selectRows(rows, changes, { matches, request, sortRun: ids.indexOf(sortRun) })
      const from = request.offset ?? 0
      const page = selected.shown.slice(from, from + (request.limit ?? 100))
      const texts = await readPage(snapshot, reader, { rows, ids, page })
      const numbers = new Map(rows.order.map((at, index) => [at, index + 1]))
      return {
        view: view.id,
        baseline,
        score,
        scores: rows.scores.map((name) => ({ score: name, kind: rows.isRate(name) ? 'rate' : 'mean' })),
        total_rows: selected.shown.length,
        counts: selected.counts,
        runs: sliceOf(rows, ids, { score, positions: selected.matching }),
        slices:
          request.slice_by == null
            ? []
            : await slices(snapshot, reader, {
                rows,
                ids,
                score,
                path: request.slice_by,
                matching: selected.matching,
              }),
        columns: columnsOf([...texts.examples.values()]),
        rows: page.map((at) => {
          const digest = itemAt(rows.digests, at)
          return {
            row_digest: digest,
            number: numbers.get(at) ?? 0,
            input: inputOf(texts.examples.get(digest) ?? null),
            runs: ids.map((id, run) => cellOf(rows, { at, id, changes, run, failures: texts.failures })),
          }
        }),
      }
    })
  }
}

/** Which rows match a query; undefined without one. */
async function matching(
  snapshot: Snapshot,
  reader: ProjectReader,
  of: { readonly view: ComparisonView; readonly ids: readonly string[]; readonly query: unknown },
): Promise<Uint8Array | undefined> {
  const { view, ids, query } = of
  const { rows, matches } = view
  if (query == null) return undefined
  const text = JSON.stringify(query)
  const known = matches.get(text)
  if (known !== undefined) return known
  const plan = parseRows({ filters: [{ query }], filter_logic_operator: 'or' })
  // Inputs are the same in all runs.
  const ofInputs = plan.values.every(({ source }) => source === 'inputs')
  const compared = await findCompared(snapshot, reader, ofInputs ? rows.coveringRuns : ids, { datasetRows: true })
  const readsScores = plan.values.some(({ source }) => source === 'scores')
  const trials = readsScores
    ? await keepTrials(snapshot, compared.scope, { values: plan.values, summed: false, children: true })
    : undefined
  const found = new Uint8Array(rows.positions.size)
  await snapshot.forEachChunk(rowsStatement(compared.scope, plan, { trials, models: compared.models }), (chunk) => {
    for (const digest of chunk.digest) {
      const at = digest === null ? undefined : rows.positions.get(digest)
      if (at !== undefined) found[at] = 1
    }
  })
  matches.set(text, found)
  return found
}

function sliceOf(
  rows: ComparedRunRows,
  ids: readonly string[],
  { score, positions }: { readonly score: string | null; readonly positions: readonly number[] },
): SliceOfRun[] {
  return ids.map((id) => {
    const { values } = score === null ? { values: rows.filled() } : rows.valuesOf(score, id)
    const { mean, count } = meanOf(Float64Array.from(positions, (at) => values[at] ?? Number.NaN))
    return { evaluation_call_id: id, value: mean, scored_rows: count }
  })
}

async function slices(
  snapshot: Snapshot,
  reader: ProjectReader,
  of: {
    readonly rows: ComparedRunRows
    readonly ids: readonly string[]
    readonly score: string | null
    readonly path: string
    readonly matching: readonly number[]
  },
): Promise<ComparedRows['slices']> {
  const { rows, ids, score, path } = of
  const isMatching = new Set(of.matching)
  const byValue = new Map<string, number[]>()
  const compared = await findCompared(snapshot, reader, rows.coveringRuns, { datasetRows: true })
  for (const { digest, example } of await snapshot.rows(
    examplesStatement(compared.scope, undefined, path.split('.')),
  )) {
    const at = rows.positions.get(digest)
    if (at === undefined || !isMatching.has(at) || example === null) continue
    const value: unknown = JSON.parse(example)
    for (const each of Array.isArray(value) ? value : [value]) {
      const name = typeof each === 'string' ? each : JSON.stringify(each)
      const known = byValue.get(name)
      if (known) known.push(at)
      else byValue.set(name, [at])
    }
  }
  return [...byValue]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .slice(0, operationLimits.comparedSlicesMax)
    .map(([value, positions]) => ({
      value,
      row_count: positions.length,
      runs: sliceOf(rows, ids, { score, positions }),
    }))
}

function columnsOf(examples: readonly (string | null)[]): string[] {
  const columns = new Set<string>()
  for (const example of examples) {
    const row: unknown = example === null ? null : JSON.parse(example)
    if (isJsonObject(row)) for (const name of Object.keys(row)) columns.add(name)
  }
  return [...columns].slice(0, operationLimits.columnsMax)
}

/** The first text of a row, or its JSON. */
export function inputOf(example: string | null): string {
  const row: unknown = example === null ? '' : JSON.parse(example)
  const texts = isJsonObject(row) ? Object.values(row) : [row]
  const first = texts.find((value) => typeof value === 'string' && value.trim() !== '')
  const text = typeof first === 'string' ? first : (example ?? '')
  return text.slice(0, operationLimits.comparedInputChars)
}

function cellOf(
  rows: ComparedRunRows,
  of: {
    readonly at: number
    readonly id: string
    readonly changes: Changes
    readonly run: number
    /** Exceptions by call. */
    readonly failures: ReadonlyMap<string, string>
  },
): ComparedRows['rows'][number]['runs'][number] {
  const { at, id, changes, run, failures } = of
  const own = rows.run(id)
  const first = own?.firstTrialAt(at)
  if (own === undefined || first === undefined) return null
  const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value)
  const exception = failures.get(own.failedCallAt(at) ?? '')
  const change = changes.improvements[run]?.[at] ?? Number.NaN
  return {
    trial_count: itemAt(own.trials, at),
    failed_trial_count: itemAt(own.failed, at),
    values: rows.scores.map((score) => known(rows.valuesOf(score, id).values[at])),
    change: change > changes.margin ? 'gained' : change < -changes.margin ? 'lost' : null,
    latency_seconds: known(own.latency[at]),
    cost: known(own.cost[at]),
    exception: exception === undefined ? null : exception.slice(0, operationLimits.comparedInputChars),
    predict_and_score_call_id: first,
  }
}
