import { operationLimits } from './limits/operations.ts'

/** Short names of the ops that make up an evaluation, as used by client packages. */
export const evaluate = 'Evaluation.evaluate'
export const predictAndScore = 'Evaluation.predict_and_score'
export const summarize = 'Evaluation.summarize'

/** Short names of the ops of trials. */
export const trialOps: readonly string[] = [
  predictAndScore,
  // Names in the TypeScript package.
  'Evaluation.predictAndScore',
]
const trials: ReadonlySet<string | null> = new Set(trialOps)

/**
 * Whether an op with this short name is a trial of an evaluation: one row's prediction and scores.
 */
export const isTrialOp = (shortName: string | null): boolean => trials.has(shortName)

/** Whether an op with this short name is the scoring method of a scorer. */
export const isScoreOp = (shortName: string): boolean => shortName.endsWith('.score')

const classOf = { predict: 'Model', score: 'Scorer', summarize: 'Scorer' } as const

/** The op name of an object's method; named after the class if the object's name is too long. */
export function methodName(object: string, method: keyof typeof classOf): string {
  const name = `${object}.${method}`
  return [...name].length > operationLimits.idCharsMax ? `${classOf[method]}.${method}` : name
}
