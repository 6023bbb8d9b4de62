import { containsScorer } from './contains.ts'
import { editDistanceScorer } from './edit-distance.ts'
import { exactMatchScorer } from './exact-match.ts'
import { jsonSchemaScorer } from './json-schema.ts'
import { jsonValidityScorer } from './json-validity.ts'
import { numericDistanceScorer } from './numeric-distance.ts'
import { regularExpressionScorer } from './regular-expression.ts'
import { rougeScorer } from './rouge.ts'
import type { ScorerClass } from './scorer.ts'

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
] as unknown as readonly ScorerClass[]
