/**
 * Built-in scorers and the threads that run them. Other code imports this subject through this
 * file.
 */

export { schemaFault } from './judging/judges.ts'
export { scorerJudge } from './judging/scorer-judge.ts'
export { parsedOutput } from './scorers/compared-texts.ts'
export type { Judge, ScoredExample } from './scorers/scorer.ts'
export { scorerClasses } from './scorers/scorer-classes.ts'
