/**
 * The short name of an op: the part of an op ref between the last `/` and the `:`
 * (`ext:///e/p/op/answer:v1` → `answer`). Other names are returned unchanged.
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
    // Not percent-encoded after all.
    return name
  }
}

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
