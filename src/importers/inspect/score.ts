import { stated } from './members.ts'

type Members = Readonly<Record<string, unknown>>

/** Letters that Inspect's scorers give: correct, partially correct, incorrect, no answer. */
const letters: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 }

/**
 * A score as results compare it: the value, and for letters what Inspect's metrics make of them.
 */
export function scoreValue({ value }: Members): Members {
  const number = typeof value === 'string' ? letters[value] : undefined
  return number === undefined ? { value } : { value, score: number, correct: value === 'C' }
}

/** The same with the answer and the explanation. */
export const scoreOutput = (score: Members): Members => {
  const { answer, explanation, metadata } = score
  return { ...scoreValue(score), ...stated({ answer, explanation, metadata }) }
}
