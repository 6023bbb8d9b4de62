import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { PriceBook } from '../../costs/index.ts'
import type { TrialDetails } from '../sql/details.ts'

/**
 * Result rows as pieces of JSON text, joined by commas. Trials arrive in order, grouped by row and
 * evaluation.
 *
 * @param warnings collects warnings
 */
export async function* rowPieces(
  batches: AsyncGenerator<TrialDetails[]>,
  { prices, warnings }: { prices: PriceBook | undefined; warnings: string[] },
): AsyncGenerator<string[]> {
  let unresolvedRows = 0
  let row: string | undefined
  let evaluation: string | undefined
  for await (const trials of batches) {
    const pieces: string[] = []
    for (const trial of trials) {
      const isNewRow = trial.digest !== row
      const isNewEvaluation = isNewRow || trial.evaluation !== evaluation
      if (row !== undefined) pieces.push(isNewRow ? ']}]},' : isNewEvaluation ? ']},' : ',')
      if (isNewRow) {
        unresolvedRows += trial.isUnresolved
        const example = memberTexts(trial.storedInputs)?.('example') ?? trial.example ?? 'null'
        pieces.push(`{"row_digest":${JSON.stringify(trial.digest)},"raw_data_row":${example},"evaluations":[`)
      }
      row = trial.digest
      evaluation = trial.evaluation
      if (isNewEvaluation) pieces.push(`{"evaluation_call_id":${JSON.stringify(evaluation)},"trials":[`)
      const cost = prices?.totalCost(trial.usage, trial.startedAt)
      const stored = memberTexts(trial.storedOutput)
      const output = stored?.('output') ?? trial.output
      const scores = withMembers(objectText(stored?.('scores')) ?? trial.ownScores, trial.lateScores)
      const costText = cost === undefined ? 'null' : JSON.stringify(cost)
      pieces.push(trial.head, output, ',"scores":', scores, trial.middle, costText, trial.tail)
    }
    yield pieces
  }
  if (row !== undefined) yield [']}]}']
  if (unresolvedRows > 0) {
    const were = unresolvedRows === 1 ? '1 row ref was' : `${unresolvedRows} row refs were`
    warnings.push(`${were} not resolved: the rows do not exist or belong to another project`)
  }
}

/**
 * JSON texts of the members of an object, with numbers preserved; undefined if it is null or not an
 * object.
 */
function memberTexts(text: string | null): ((name: string) => string | undefined) | undefined {
  if (text === null) return undefined
  const object = parseExactly(text)
  if (!isJsonObject(object)) return undefined
  return (name) => (Object.hasOwn(object, name) ? JSON.stringify(object[name]) : undefined)
}

const objectText = (text: string | undefined): string | undefined => (text?.startsWith('{') ? text : undefined)

/** Adds members, given as text, to the JSON text of an object. */
function withMembers(object: string, members: string | null): string {
  if (members === null) return object
  return object === '{}' ? `{${members}}` : `${object.slice(0, -1)},${members}}`
}
