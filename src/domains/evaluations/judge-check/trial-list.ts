import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { inputOf } from '../comparison/rows.ts'
import type { JudgeCheck, JudgeCheckRequest, JudgedTrial } from '../model/judge-check.ts'
import { judgedCallsStatement, judgedTextsStatement } from '../sql/judge-labels.ts'
import { examplesStatement } from '../sql/row-measures.ts'
import type { CheckedRuns } from './checked-runs.ts'
import { type ClassedTrial, isOnly, isPair, isUnlabelled } from './pairs.ts'

type Shown = NonNullable<JudgeCheckRequest['show']>

const isShown: Readonly<Record<Shown, (trial: ClassedTrial) => boolean>> = {
  disagreements: (trial) => isPair(trial) && trial.judgeClass !== trial.humanClass,
  pairs: isPair,
  only_judge: isOnly('judgeClass', 'humanClass'),
  only_human: isOnly('humanClass', 'judgeClass'),
  unlabelled: isUnlabelled,
}

/** A page of the trials that a request asks for. @throws DomainError InvalidRequest */
export async function listTrials(
  runs: CheckedRuns,
  trials: readonly ClassedTrial[],
  { show, cell, after, limit, judge }: JudgeCheckRequest,
): Promise<JudgeCheck['trials']> {
  const matching = trials.filter((trial) =>
    cell == null
      ? isShown[show ?? 'disagreements'](trial)
      : trial.judgeClass === cell.judge && trial.humanClass === cell.human,
  )
  const from = after == null ? 0 : placeAfter(trials, matching, after)
  const page = matching.slice(from, from + (limit ?? 100))
  const last = page.at(-1)
  const scorer = judge?.source === 'score' ? (judge.name.split('.')[0] ?? '') : nameOfType(judge?.name ?? '')
  return {
    total: matching.length,
    items: page.length === 0 ? [] : await describe(runs, page, scorer),
    next: last === undefined || from + page.length === matching.length ? null : last.id,
  }
}

/** Where the page begins that follows a trial, also if that one does not match any more. */
function placeAfter(all: readonly ClassedTrial[], matching: readonly ClassedTrial[], after: string): number {
  const at = all.findIndex(({ id }) => id === after)
  if (at < 0)
    throw new DomainError('InvalidRequest', `Invalid \`after\` ${quoted(after)}: use \`next\` of the page before`)
  const before = new Set(all.slice(0, at + 1))
  const next = matching.findIndex((trial) => !before.has(trial))
  return next < 0 ? matching.length : next
}

const nameOfType = (type: string): string => type.replace(/^\w+\.(runnable|annotation)\./, '')

async function describe(
  { snapshot, compared, table }: CheckedRuns,
  page: readonly ClassedTrial[],
  scorer: string,
): Promise<JudgedTrial[]> {
  const { scope, models, roots } = compared
  const ids = page.map(({ id }) => id)
  const digests = [...new Set(page.map(({ digest }) => digest))]
  const inputs = new Map(
    (await snapshot.rows(examplesStatement(scope, digests))).map(({ digest, example }) => [digest, inputOf(example)]),
  )
  const said = new Map(
    (await snapshot.rows(judgedTextsStatement(table, ids, scorer))).map((each) => [each.trial, each]),
  )
  const predictions = new Map<string, string>()
  const judges = new Map<string, string>()
  for (const { trial, id, key, isPrediction } of await snapshot.rows(
    judgedCallsStatement({ scope, models, table }, ids),
  )) {
    if (isPrediction === 1) {
      if (!predictions.has(trial)) predictions.set(trial, id)
    } else if (key === scorer) judges.set(trial, id)
  }
  const traces = new Map(roots.map(({ id, traceId }) => [id, traceId]))
  return page.map((trial) => ({
    evaluation_call_id: trial.evaluation,
    trace_id: traces.get(trial.evaluation) ?? trial.evaluation,
    row_digest: trial.digest,
    predict_and_score_call_id: trial.id,
    predict_call_id: predictions.get(trial.id) ?? null,
    judge_call_id: judges.get(trial.id) ?? null,
    input: inputs.get(trial.digest) ?? '',
    output: said.get(trial.id)?.output ?? '',
    judge_label: trial.judge === undefined ? null : String(trial.judge),
    human_label: trial.human === undefined ? null : String(trial.human),
    judge_class: trial.judgeClass ?? null,
    human_class: trial.humanClass ?? null,
    reasons: reasonsIn(said.get(trial.id)?.scored ?? null),
  }))
}

/** The texts of a score. */
function reasonsIn(json: string | null): JudgedTrial['reasons'] {
  const score: unknown = json === null ? null : JSON.parse(json)
  if (!isJsonObject(score)) return []
  return Object.entries(score).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text: text.slice(0, operationLimits.comparedInputChars) }] : [],
  )
}
