import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { ValidationError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Relation } from '../../../lib/relation.ts'
import { formatTime } from '../../../lib/time.ts'
import { columnField } from '../../../query/catalog.ts'
import { fieldOneOf } from '../../../query/expression.ts'
import { displayName } from '../../../query/sql/call-answer.ts'
import { compileRows } from '../../../query/sql/statements.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { TrialScope } from '../plan/plan.ts'
import { keptTrialsStatement } from '../sql/leaves.ts'
import { lateChildrenStatement, trialsStatement } from '../sql/scored-trials.ts'

/** The parts of an evaluation's root call that its results use. */
interface EvaluationRoot {
  readonly id: string
  readonly traceId: string
  readonly displayName: string | null
  readonly startedAt: string
  readonly hasEnded: boolean
  readonly evaluationRef: string | null
  readonly modelRef: string | null
}

/** The evaluations to compare that exist, in the order of the request. */
export interface Compared {
  /** As requested, without duplicates. */
  readonly ids: readonly string[]
  readonly roots: readonly EvaluationRoot[]
  readonly scope: TrialScope
  /** Model by evaluation. */
  readonly models: ReadonlyMap<string, string>
}

const rootCells = callsTable.select('id', 'trace_id', 'display_name', 'started_at', 'ended_at', 'inputs')

/** Finds the evaluations of a request. @throws ValidationError for none or too many */
export async function findCompared(
  snapshot: Snapshot,
  reader: ProjectReader,
  requested: readonly string[],
  { datasetRows }: { datasetRows: boolean },
): Promise<Compared> {
  const ids = [...new Set(requested)]
  const roots = await findRoots(snapshot, reader, ids)
  return {
    ids,
    roots,
    models: new Map(roots.map(({ id, modelRef }) => [id, modelRef ?? ''])),
    scope: {
      projectId: reader.projectId,
      evaluationIds: ids,
      trials: await snapshot.relationWhere(callsTable.name, { parent_id: ids }),
      children: await callsOfRuns(snapshot, roots),
      datasetRows: datasetRows ? snapshot.relation(tableRows.name) : undefined,
    },
  }
}

/** Branches that may hold calls of the traces of evaluations. */
export const callsOfRuns = (snapshot: Snapshot, roots: Compared['roots']): Promise<Relation> =>
  snapshot.relationWhere(callsTable.name, { trace_id: [...new Set(roots.map(({ traceId }) => traceId))] })

/** The evaluations that exist, in order. @throws ValidationError for none or too many */
export async function findRoots(
  snapshot: Snapshot,
  { projectId }: ProjectReader,
  ids: readonly string[],
): Promise<Compared['roots']> {
  if (ids.length === 0 || ids.length > operationLimits.evaluationsMax) {
    const msg = `Expected 1 to ${operationLimits.evaluationsMax} evaluation_call_ids or evaluation_run_ids`
    throw new ValidationError([{ loc: ['body', 'evaluation_call_ids'], msg, type: 'value_error' }])
  }
  const relation = await snapshot.relationWhere(callsTable.name, { id: ids })
  const { columns } = rootCells
  const sql = compileRows({ projectId, relation, where: fieldOneOf(columnField('id'), ids), columns })
  const found = new Map<string, EvaluationRoot>()
  for (const root of await snapshot.rows({ ...sql, shape: rootCells })) {
    const { id, trace_id, display_name, started_at, ended_at, inputs } = root
    found.set(id, {
      id,
      traceId: trace_id,
      displayName: displayName.of({ display_name }),
      startedAt: formatTime(started_at),
      hasEnded: ended_at !== null,
      ...refsIn(inputs),
    })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * Keeps the trials of the evaluations with all of their scores, also those that came late, and with
 * their measures if wanted, in a temporary table; returns its name.
 */
export async function keepScoredTrials(
  snapshot: Snapshot,
  { scope, models }: Compared,
  { measures = false }: { readonly measures?: boolean } = {},
): Promise<string> {
  const [read, kept] = ['trials_as_read', 'scored_trials']
  await snapshot.createTempTable(read, trialsStatement(scope, { scores: true, outcome: true, measures }))
  // Rare: most trials have all of their scores, which avoids searching millions of children.
  const [late] = await snapshot.rows(lateChildrenStatement(scope, read))
  if (late?.late !== 1) return read
  const options = { models, requireIntersection: false }
  await snapshot.createTempTable(kept, keptTrialsStatement(scope, { table: read, late: true }, options))
  return kept
}

function refsIn(inputs: string | null): { evaluationRef: string | null; modelRef: string | null } {
  const members: unknown = JSON.parse(inputs ?? '{}')
  const { self, this: own, model } = isJsonObject(members) ? members : {}
  const evaluation = self ?? own
  return {
    evaluationRef: typeof evaluation === 'string' ? evaluation : null,
    modelRef: typeof model === 'string' ? model : null,
  }
}
