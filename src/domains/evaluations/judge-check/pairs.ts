import { operationLimits } from '../../../lib/limits/operations.ts'
import { wilsonInterval } from '../comparison/intervals.ts'
import type { JudgeCheckFigures, LabelSource, UsedSource } from '../model/judge-check.ts'
import { cohensKappa } from './kappa.ts'
import { classOf, frequentLabels, type Label, orderedClasses, type Reading, readingOf } from './labels.ts'

/** Fewer pairs than this give no figures. */
const pairsMin = 10

/** A trial with its labels. */
export interface LabelledTrial {
  readonly id: string
  readonly evaluation: string
  readonly digest: string
  readonly startedAt: number
  readonly judge: Label | undefined
  readonly human: Label | undefined
}

/** The same with the classes of its labels. */
export interface ClassedTrial extends LabelledTrial {
  readonly judgeClass: string | undefined
  readonly humanClass: string | undefined
}

interface Side {
  readonly source: LabelSource
  readonly path: string | null
}

/** The figures of a check, and its trials with their classes. */
export function checkPairs(
  trials: readonly LabelledTrial[],
  sides: { readonly judge: Side; readonly human: Side },
  relabelled: ReadonlySet<string>,
): { readonly figures: JudgeCheckFigures; readonly trials: readonly ClassedTrial[] } {
  const labels = {
    judge: trials.flatMap(({ judge }) => judge ?? []),
    human: trials.flatMap(({ human }) => human ?? []),
  }
  const readings = {
    judge: readingOf(sides.judge.source, labels.judge, labels.human),
    human: readingOf(sides.human.source, labels.human, labels.judge),
  }
  const classed = trials.map((trial): ClassedTrial => {
    const judgeClass = trial.judge === undefined ? undefined : classOf(trial.judge, readings.judge)
    const humanClass = trial.human === undefined ? undefined : classOf(trial.human, readings.human)
    return { ...trial, judgeClass, humanClass }
  })
  const pairs = classed.filter(isPair)
  const ranges = readings.judge.bins === null ? readings.human : readings.judge
  const classes = orderedClasses(new Set(pairs.flatMap((each) => [each.judgeClass, each.humanClass])), ranges)
  const isTooMany = classes.length > operationLimits.labelClassesMax
  const matrix = isTooMany ? [] : matrixOf(pairs, classes)
  const isShown = !isTooMany && pairs.length >= pairsMin
  return {
    trials: classed,
    figures: {
      judge: usedSource(sides.judge, readings.judge, labels.judge),
      human: usedSource(sides.human, readings.human, labels.human),
      trial_count: trials.length,
      row_count: new Set(pairs.map(({ digest }) => digest)).size,
      pair_count: pairs.length,
      disagreement_count: pairs.filter(({ judgeClass, humanClass }) => judgeClass !== humanClass).length,
      only_judge_count: classed.filter(isOnly('judgeClass', 'humanClass')).length,
      only_human_count: classed.filter(isOnly('humanClass', 'judgeClass')).length,
      unlabelled_count: classed.filter(isUnlabelled).length,
      relabelled_count: pairs.filter(({ id }) => relabelled.has(id)).length,
      classes: isTooMany ? [] : classes,
      matrix,
      agreement: isShown ? agreementOf(matrix) : null,
      kappa: isShown ? kappaOf(matrix) : null,
      problem: problemOf(classes.length, labels),
    },
  }
}

/** Whether both sides have a class. */
export const isPair = (
  trial: ClassedTrial,
): trial is ClassedTrial & { readonly judgeClass: string; readonly humanClass: string } =>
  trial.judgeClass !== undefined && trial.humanClass !== undefined

/** Whether one side alone has a class. */
export const isOnly =
  (one: 'judgeClass' | 'humanClass', other: 'judgeClass' | 'humanClass') =>
  (trial: ClassedTrial): boolean =>
    trial[one] !== undefined && trial[other] === undefined

/** Whether neither side has a class. */
export const isUnlabelled = ({ judgeClass, humanClass }: ClassedTrial): boolean =>
  judgeClass === undefined && humanClass === undefined

function matrixOf(
  pairs: readonly { readonly judgeClass: string; readonly humanClass: string }[],
  classes: readonly string[],
): number[][] {
  const at = new Map(classes.map((name, index) => [name, index]))
  const matrix = classes.map(() => classes.map(() => 0))
  for (const { judgeClass, humanClass } of pairs) {
    const row = matrix[at.get(humanClass) ?? 0]
    const column = at.get(judgeClass) ?? 0
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1
  }
  return matrix
}

function agreementOf(matrix: readonly (readonly number[])[]): JudgeCheckFigures['agreement'] {
  const count = matrix.flat().reduce((sum, each) => sum + each, 0)
  const agreed = matrix.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  return { value: agreed / count, ...wilsonInterval(agreed, count) }
}

function kappaOf(matrix: readonly (readonly number[])[]): JudgeCheckFigures['kappa'] {
  const kappa = cohensKappa(matrix)
  if (kappa === undefined) return null
  return { value: kappa.value, low: kappa.interval?.low ?? null, high: kappa.interval?.high ?? null }
}

const usedSource = ({ source, path }: Side, reading: Reading, labels: readonly Label[]): UsedSource => ({
  source: source.source,
  name: source.name,
  path,
  bins: reading.bins === null ? null : [...reading.bins],
  true_values: reading.trueValues === null ? null : [...reading.trueValues],
  is_assumed: reading.isAssumed,
  values: frequentLabels(labels),
})

function problemOf(
  classCount: number,
  labels: { readonly judge: readonly Label[]; readonly human: readonly Label[] },
): string | null {
  if (labels.judge.length === 0) return 'The judge has labelled no trial of these runs'
  if (labels.human.length === 0) return 'No trial of these runs has a human label'
  if (classCount <= operationLimits.labelClassesMax) return null
  const most = operationLimits.labelClassesMax
  return `The labels have ${classCount} values, more than ${most}: put numbers into ranges with \`bins\``
}
