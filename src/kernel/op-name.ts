/**
 * The name people know an op by: the part between the last `/` and the `:` of an op ref (`ext:///e/p/op/answer:v1` → `answer`); any
 * other name is returned as it is.
 */
export function opShortName(opName: string): string {
  const match = /^(?:ext|weave):\/\/\/[^/]+\/[^/]+\/op\/([^/:]+):/.exec(opName)
  return match ? decoded(match[1]!) : opName
}

function decoded(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    // A name that only looks percent-encoded is what it is.
    return name
  }
}

/** Short names of the ops that evaluations consist of, as client packages call them. */
export const evaluate = 'Evaluation.evaluate'
export const predictAndScore = 'Evaluation.predict_and_score'
export const summarize = 'Evaluation.summarize'

const trialOps: ReadonlySet<string | null> = new Set([
  predictAndScore,
  // As the package for TypeScript calls it.
  'Evaluation.predictAndScore',
])

/** Whether calls of an op of this short name are trials of an evaluation: a prediction for one row, and its scores. */
export const isTrialOp = (shortName: string | null): boolean => trialOps.has(shortName)
