import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { feedbackTable } from '../../../engine/tables/feedback-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { spellings } from '../../../formats/dialect/spellings.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { JudgeCheck, JudgeCheckRequest, LabelSource } from '../model/judge-check.ts'
import { type LeafStatistics, readLeaves } from '../results/summary.ts'
import { type Compared, findCompared, keepScoredTrials } from '../results/trials.ts'
import { feedbackLabelsStatement, judgedTrialsStatement } from '../sql/judge-labels.ts'
import { examplesStatement } from '../sql/row-measures.ts'
import type { CheckedRuns } from './checked-runs.ts'
import { labelChoices } from './choices.ts'
import { type Label, labelIn } from './labels.ts'
import { checkPairs, type LabelledTrial } from './pairs.ts'
import { listTrials } from './trial-list.ts'

interface ReadLabels {
  readonly path: string | null
  /** By trial, or by row digest for columns. */
  readonly labels: ReadonlyMap<string, Label>
  readonly isByRow: boolean
  /** Trials with several labels. */
  readonly relabelled: ReadonlySet<string>
}

/**
 * Compares the labels that a judge gave with those of people, trial by trial. See
 * docs/decisions/224-judges-beside-people.md.
 */
export class JudgeChecks {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /** @throws DomainError InvalidRequest, NotFound for a run without trials */
  async check(reader: ProjectReader, request: JudgeCheckRequest, signal: AbortSignal): Promise<JudgeCheck> {
    const ids = [...new Set(request.evaluation_call_ids)]
    const tables = [callsTable.name, feedbackTable.name, tableRows.name]
    return await this.store.read(tables, { projectId: reader.projectId, signal }, async (snapshot) => {
      const compared = await findCompared(snapshot, reader, ids, { datasetRows: true })
      const runs: CheckedRuns = { snapshot, compared, table: await keepScoredTrials(snapshot, compared) }
      const trials = await snapshot.rows(judgedTrialsStatement(runs.table, undefined))
      checkTrials(ids, compared, trials)
      const { leaves } = await readLeaves(snapshot, runs.table, 'scores')
      const digests = [...new Set(trials.map(({ digest }) => digest))]
      const choices = await labelChoices(snapshot, judgedOf(runs), leaves, digests)
      const { judge, human } = request
      if (judge == null || human == null)
        return { choices, check: null, trials: { total: trials.length, items: [], next: null } }
      const [ofJudge, ofHuman] = [await readLabels(runs, judge, leaves), await readLabels(runs, human, leaves)]
      const order = new Map(ids.map((id, index) => [id, index]))
      const labelled = trials
        .map(({ id, evaluation, digest, startedAt }): LabelledTrial => {
          const labelOf = ({ labels, isByRow }: ReadLabels) => labels.get(isByRow ? digest : id)
          return { id, evaluation, digest, startedAt, judge: labelOf(ofJudge), human: labelOf(ofHuman) }
        })
        .sort(
          (a, b) =>
            (order.get(a.evaluation) ?? 0) - (order.get(b.evaluation) ?? 0) ||
            a.startedAt - b.startedAt ||
            (a.id < b.id ? -1 : 1),
        )
      const relabelled = new Set([...ofJudge.relabelled, ...ofHuman.relabelled])
      const sides = { judge: { source: judge, path: ofJudge.path }, human: { source: human, path: ofHuman.path } }
      const { figures, trials: classed } = checkPairs(labelled, sides, relabelled)
      return { choices, check: figures, trials: await listTrials(runs, classed, request) }
    })
  }
}

function checkTrials(
  ids: readonly string[],
  { roots }: Compared,
  trials: readonly { readonly evaluation: string }[],
): void {
  const known = new Set(trials.map(({ evaluation }) => evaluation))
  const missing = ids.find((id) => !roots.some((root) => root.id === id) || !known.has(id))
  if (missing !== undefined)
    throw new DomainError('NotFound', `Evaluation run ${quoted(missing)} does not exist, or has no rows yet`)
  if (trials.length <= operationLimits.comparedRowsMax) return
  const most = operationLimits.comparedRowsMax
  throw new DomainError(
    'InvalidRequest',
    `Check fewer runs at a time: they have ${trials.length} trials, more than ${most}`,
  )
}

const judgedOf = ({ snapshot, compared: { scope, models }, table }: CheckedRuns) => ({
  scope,
  models,
  table,
  feedback: snapshot.relation(feedbackTable.name),
})

async function readLabels(
  runs: CheckedRuns,
  { source, name, path }: LabelSource,
  leaves: readonly LeafStatistics[],
): Promise<ReadLabels> {
  const { snapshot, compared, table } = runs
  const labels = new Map<string, Label>()
  const relabelled = new Set<string>()
  const add = (key: string, json: string | null): void => {
    const label = labelIn(json)
    if (label !== undefined) labels.set(key, label)
  }
  switch (source) {
    case 'score': {
      // A name may have dots of its own.
      const parts = leaves.find((leaf) => leaf.path.join('.') === name)?.path ?? name.split('.')
      for (const { id, score } of await snapshot.rows(judgedTrialsStatement(table, parts))) add(id, score)
      return { path: null, labels, isByRow: false, relabelled }
    }
    case 'column':
      for (const { digest, example } of await snapshot.rows(
        examplesStatement(compared.scope, undefined, name.split('.')),
      ))
        add(digest, example)
      return { path: null, labels, isByRow: true, relabelled }
    case 'feedback': {
      const type = neutralType(name)
      const at = path ?? defaultPath(type)
      for (const { trial, label, count } of await snapshot.rows(
        feedbackLabelsStatement(judgedOf(runs), type, at.split('.')),
      )) {
        add(trial, label)
        if (count > 1) relabelled.add(trial)
      }
      return { path: at, labels, isByRow: false, relabelled }
    }
  }
}

/** A type of feedback as it is stored, whichever dialect the client speaks. */
function neutralType(type: string): string {
  const { feedbackPrefix } = spellings.ext
  const spelt = Object.values(spellings).find((of) => type.startsWith(`${of.feedbackPrefix}.`))
  return spelt === undefined ? type : feedbackPrefix + type.slice(spelt.feedbackPrefix.length)
}

const defaultPath = (type: string): string =>
  type.startsWith('ext.runnable.') ? 'output' : type.startsWith('ext.reaction.') ? 'detoned_alias' : 'value'
