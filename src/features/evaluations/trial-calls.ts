import { findObjectRef } from '../../dialect/parsed-ref.ts'
import { isTrialOp } from '../../kernel/op-name.ts'
import { type EvaluationCall, textIn } from './evaluation-calls.ts'

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
