/** Short names of the ops that make up an evaluation, as used by client packages. */
export const evaluate = 'Evaluation.evaluate'
export const predictAndScore = 'Evaluation.predict_and_score'
export const summarize = 'Evaluation.summarize'

const trialOps: ReadonlySet<string | null> = new Set([
  predictAndScore,
  // As named by the TypeScript package.
  'Evaluation.predictAndScore',
])

/**
 * Whether an op with this short name is a trial of an evaluation: one row's prediction and scores.
 */
export const isTrialOp = (shortName: string | null): boolean => trialOps.has(shortName)

/** Whether an op with this short name is the scoring method of a scorer. */
export const isScoreOp = (shortName: string): boolean => shortName.endsWith('.score')
