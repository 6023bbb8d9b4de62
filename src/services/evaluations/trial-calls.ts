import { isTrialOp } from '../../model/op-name.ts'
import { findObjectRef } from '../../model/parsed-ref.ts'
import { type EvaluationCall, textIn } from './evaluation-calls.ts'

/** Short names of the ops that evaluations consist of, as client packages call them. */
export const evaluate = 'Evaluation.evaluate'
export const predictAndScore = 'Evaluation.predict_and_score'
export const summarize = 'Evaluation.summarize'

/** Whether a call is one trial: a prediction for one row, and its scores. */
export const isTrial = ({ shortName }: EvaluationCall): boolean => isTrialOp(shortName)

/** Marked, or what a client package calls the method of a scorer. */
export const isScore = ({ mark, shortName }: EvaluationCall): boolean =>
  mark['score'] === 'true' || shortName.endsWith('.score')

/** Name under which a score call counts: that of its scorer. */
export function scoreName(call: EvaluationCall): string {
  const scorer = textIn(call.mark, 'scorer')
  const name = scorer === null ? undefined : findObjectRef(scorer)?.name
  return name ?? call.shortName.replace(/\.score$/, '')
}
