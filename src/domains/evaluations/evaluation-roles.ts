import { findObjectRef } from '../../formats/dialect/parsed-ref.ts'
import { ownNamespaces } from '../../formats/dialect/spellings.ts'
import { isScoreOp, isTrialOp } from '../../lib/evaluation-ops.ts'
import { type EvaluationCall, textIn } from './evaluation-calls.ts'

/** Role of a call in an evaluation, in the server's own member of its attributes. */
type EvaluationRole = 'evaluation_run' | 'prediction' | 'score'

type Query = Readonly<Record<string, unknown>>

/**
 * Query condition that the server's own attribute `name` is one of `values`, in whichever dialect
 * it was written.
 */
export const ownAttributeIs = (name: string, values: readonly string[]): Query => ({
  $or: ownNamespaces.map((namespace) => ({
    $in: [{ $getField: `attributes.${namespace}.${name}` }, values.map((value) => ({ $literal: value }))],
  })),
})

/** A query for calls with this role that match all further conditions. */
export const markedQuery = (role: EvaluationRole, ...conditions: readonly Query[]): { $expr: Query } => ({
  $expr: { $and: [ownAttributeIs(role, ['true']), ...conditions] },
})

/** Whether a call is a trial: a prediction for one row with its scores. */
export const isTrial = ({ shortName }: EvaluationCall): boolean => isTrialOp(shortName)

/** Marked as a score, or named like the method of a scorer in an SDK. */
export const isScore = ({ mark, shortName }: EvaluationCall): boolean =>
  mark['score'] === 'true' || isScoreOp(shortName)

/** Name of the scorer, under which a score is reported. */
export function scoreName(call: EvaluationCall): string {
  const scorer = textIn(call.mark, 'scorer')
  const name = scorer === null ? undefined : findObjectRef(scorer)?.name
  return name ?? call.shortName.replace(/\.score$/, '')
}

/** Whether a call is a prediction: marked as one, or traced below a trial and not a score. */
export const isPrediction = (call: EvaluationCall, parent: EvaluationCall | undefined): boolean =>
  call.mark['prediction'] === 'true' || (parent !== undefined && isTrial(parent) && !isScore(call))
