import { editDistanceScorer, numericDistanceScorer, rougeScorer } from './distances.ts'
import { jsonSchemaScorer, jsonValidityScorer } from './json-scorers.ts'
import type { ScorerClass } from './scorer.ts'
import { containsScorer, exactMatchScorer, regularExpressionScorer } from './text-matches.ts'

/** All built-in scorers whose result depends on the example alone. */
export const scorerClasses: readonly ScorerClass[] = [
  exactMatchScorer,
  containsScorer,
  regularExpressionScorer,
  jsonValidityScorer,
  jsonSchemaScorer,
  numericDistanceScorer,
  editDistanceScorer,
  rougeScorer,
]
