import type { Snapshot, StreamSnapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { HeldBytes } from '../../../lib/concurrency.ts'
import { quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs, PriceBook } from '../../costs/index.ts'
import type { EvalResultsRequest, EvalResultsSummary } from '../model/eval-results.ts'
import { parseRows } from '../plan/parse.ts'
import type { KeptTrials, RowsPlan, TrialScope, TrialValue } from '../plan/plan.ts'
import { type DetailsOptions, detailsStatement, type TrialDetails } from '../sql/details.ts'
import type { LeafSource } from '../sql/leaves.ts'
import { rowsStatement } from '../sql/rows.ts'
import { lateChildrenStatement, trialsStatement } from '../sql/scored-trials.ts'
import { type LeafStatistics, readLeaves, summarize } from './summary.ts'
import { type Compared, findCompared, keepScoredTrials } from './trials.ts'

/** Keeps the trials with the values, including all scores and tokens if they are summarized. */
export async function keepTrials(
  snapshot: Snapshot,
  scope: TrialScope,
  options: { values: readonly TrialValue[]; summed: boolean; children: boolean },
): Promise<KeptTrials> {
  const { values, summed, children } = options
  const keep = async (table: string, scores: boolean) => {
    await snapshot.createTempTable(table, trialsStatement(scope, { values, scores, tokens: summed }))
    return table
  }
  const table = await keep('trials_of_evaluations', summed)
  if (!children || !(await hasLateChildren(snapshot, scope, table))) return { table, late: false }
  // Rare: most evaluations have all scores in their trials, which avoids searching millions of
  // children.
  return { table: summed ? table : await keep('trials_with_all_scores', true), late: true }
}

async function hasLateChildren(snapshot: Snapshot, scope: TrialScope, table: string) {
  const [row] = await snapshot.rows(lateChildrenStatement(scope, table))
  return row?.late === 1
}

/**
 * Means of numbers (booleans as 0 and 1) by path: `{accuracy: {mean: 0.5}, judge: {fluency: {mean:
 * 4}}}`.
 */
function nestedMeans(leaves: readonly LeafStatistics[]): Record<string, unknown> {
  const root = new Map<string, MeanNode>()
  for (const { path, numberCount, numberSum, trueCount, truthCount } of leaves) {
    const count = numberCount + truthCount
    if (count === 0) continue
    const top: MeanNode = { members: root }
    const node = path.reduce(memberOf, top)
    node.mean = (numberSum + trueCount) / count
  }
  return plain(root)
}

interface MeanNode {
  mean?: number
  readonly members: Map<string, MeanNode>
}

function memberOf({ members }: MeanNode, key: string): MeanNode {
  const known = members.get(key) ?? { members: new Map() }
  members.set(key, known)
  return known
}

const plain = (members: ReadonlyMap<string, MeanNode>): Record<string, unknown> =>
  Object.fromEntries(
    [...members].map(([key, { mean, members: inner }]) => [
      key,
      { ...(mean !== undefined && { mean }), ...plain(inner) },
    ]),
  )

/**
 * Compares evaluations row by row, whether traced by an SDK or created as runs and predictions.
 * See docs/decisions/043-comparing-evaluations.md.
 */
export class EvaluationResults {
  private readonly store: Store
  private readonly costs: Costs

  constructor(options: { store: Store; costs: Costs }) {
    this.store = options.store
    this.costs = options.costs
  }

  /**
   * The response as pieces of one JSON text, with constant memory.
   *
   * @throws ValidationError if no evaluation is given; DomainError InvalidField, InvalidRequest
   */
  async *query(reader: ProjectReader, request: EvalResultsRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const plan = parseRows(request)
    const rawRows = rawRowsOf(request)
    const datasetRows = rawRows === 'resolved' || plan.values.some(({ source }) => source === 'inputs')
    const tables = [callsTable.name, costsTable.name, ...(datasetRows ? [tableRows.name] : [])]
    const requested = { reader, request, plan, rawRows, datasetRows }
    const { projectId } = reader
    yield* this.store.stream(tables, { projectId, signal }, (snapshot) => this.piecesIn(snapshot, requested))
  }

  private async *piecesIn(
    snapshot: StreamSnapshot,
    { reader, request, plan, rawRows, datasetRows }: AskedResults,
  ): AsyncGenerator<string[]> {
    const requested = [...(request.evaluation_call_ids ?? []), ...(request.evaluation_run_ids ?? [])]
    const compared = await findCompared(snapshot, reader, requested, { datasetRows })
    const { scope, models } = compared
    const children = request.include_predict_and_score_children !== false
    const wantsRows = request.include_rows !== false
    const prices = request.include_costs === true ? await this.costs.priceBook(snapshot, reader) : undefined
    const warnings = unknownIds(compared)
    const summed = request.include_summary === true
    const readsScores = summed || plan.values.some(({ source }) => source === 'scores')
    const trials = readsScores
      ? await keepTrials(snapshot, scope, { values: plan.values, summed, children })
      : undefined

    const page: string[] = []
    let total = 0
    if (wantsRows || plan.sort.length > 0 || plan.filters.length > 0) {
      const sql = rowsStatement(scope, wantsRows ? plan : { ...plan, limit: 0 }, { trials, models })
      const held = new HeldBytes('page through the rows with `limit` and `offset`')
      await snapshot.forEachChunk(sql, (rows) => {
        held.add(rows.digest.length * responseLimits.rowDigestBytes)
        // The first row is not part of the page: it contains the total count.
        for (const digest of rows.digest) if (digest !== null) page.push(digest)
        for (const count of rows.total) if (count !== null) total = count
      })
    }
    let summary: EvalResultsSummary | null = null
    if (summed && trials !== undefined) {
      const requireIntersection = request.summary_require_intersection ?? plan.requireIntersection
      const found = await summarize(snapshot, compared, { trials, requireIntersection, children, prices })
      summary = found.summary
      warnings.push(...found.warnings)
    }
    yield ['{"rows":[']
    if (page.length > 0) {
      const sql = detailsStatement(scope, page, { children, models, rawRows })
      yield* rowPieces(snapshot.rowsInTurn(sql), { prices, warnings })
    }
    yield [`],"total_rows":${total},"summary":${JSON.stringify(summary)},"warnings":${JSON.stringify(warnings)}}`]
  }

  /**
   * Means of all numbers in the scores of the trials of one evaluation, and in the model's outputs
   * under `output`.
   */
  async means(reader: ProjectReader, evaluationId: string): Promise<Record<string, unknown>> {
    return await this.store.read([callsTable.name], reader, async (snapshot) => {
      const compared = await findCompared(snapshot, reader, [evaluationId], { datasetRows: false })
      const table = await keepScoredTrials(snapshot, compared)
      return { ...(await meansIn(snapshot, table, 'scores')), ...(await meansIn(snapshot, table, 'outcome')) }
    })
  }
}

async function meansIn(snapshot: Snapshot, table: string, source: LeafSource): Promise<Record<string, unknown>> {
  const { leaves } = await readLeaves(snapshot, table, source)
  return nestedMeans(leaves)
}

/** A request with what is known before anything is read. */
interface AskedResults {
  readonly reader: ProjectReader
  readonly request: EvalResultsRequest
  readonly plan: RowsPlan
  readonly rawRows: DetailsOptions['rawRows']
  /** Whether dataset rows are needed. */
  readonly datasetRows: boolean
}

function rawRowsOf({ include_raw_data_rows, resolve_row_refs }: EvalResultsRequest): DetailsOptions['rawRows'] {
  if (include_raw_data_rows !== true) return 'none'
  return resolve_row_refs === true ? 'resolved' : 'asGiven'
}

const unknownIds = ({ ids, roots }: Compared): string[] => {
  const known = new Set(roots.map(({ id }) => id))
  return ids.filter((id) => !known.has(id)).map((id) => `The evaluation ${quoted(id)} does not exist`)
}

/**
 * Result rows as pieces of JSON text, joined by commas. Trials arrive in order, grouped by row and
 * evaluation.
 *
 * @param warnings collects warnings
 */
async function* rowPieces(
  batches: AsyncGenerator<TrialDetails[]>,
  { prices, warnings }: { prices: PriceBook | undefined; warnings: string[] },
): AsyncGenerator<string[]> {
  let unresolvedRows = 0
  let row: string | undefined
  let evaluation: string | undefined
  for await (const trials of batches) {
    const pieces: string[] = []
    for (const trial of trials) {
      const isNewRow = trial.digest !== row
      const isNewEvaluation = isNewRow || trial.evaluation !== evaluation
      if (row !== undefined) pieces.push(isNewRow ? ']}]},' : isNewEvaluation ? ']},' : ',')
      if (isNewRow) {
        unresolvedRows += trial.isUnresolved
        const example = memberTexts(trial.storedInputs)?.('example') ?? trial.example ?? 'null'
        pieces.push(`{"row_digest":${JSON.stringify(trial.digest)},"raw_data_row":${example},"evaluations":[`)
      }
      row = trial.digest
      evaluation = trial.evaluation
      if (isNewEvaluation) pieces.push(`{"evaluation_call_id":${JSON.stringify(evaluation)},"trials":[`)
      const cost = prices?.totalCost(trial.usage, trial.startedAt)
      const stored = memberTexts(trial.storedOutput)
      const output = stored?.('output') ?? trial.output
      const scores = withMembers(objectText(stored?.('scores')) ?? trial.ownScores, trial.lateScores)
      const costText = cost === undefined ? 'null' : JSON.stringify(cost)
      pieces.push(trial.head, output, ',"scores":', scores, trial.middle, costText, trial.tail)
    }
    yield pieces
  }
  if (row !== undefined) yield [']}]}']
  if (unresolvedRows > 0) {
    const were = unresolvedRows === 1 ? '1 row ref was' : `${unresolvedRows} row refs were`
    warnings.push(`${were} not resolved: the rows do not exist or belong to another project`)
  }
}

/**
 * JSON texts of the members of an object, with numbers preserved; undefined if it is null or not an
 * object.
 */
function memberTexts(text: string | null): ((name: string) => string | undefined) | undefined {
  if (text === null) return undefined
  const object = parseExactly(text)
  if (!isJsonObject(object)) return undefined
  return (name) => (Object.hasOwn(object, name) ? JSON.stringify(object[name]) : undefined)
}

const objectText = (text: string | undefined): string | undefined => (text?.startsWith('{') ? text : undefined)

/** Adds members, given as text, to the JSON text of an object. */
function withMembers(object: string, members: string | null): string {
  if (members === null) return object
  return object === '{}' ? `{${members}}` : `${object.slice(0, -1)},${members}}`
}
