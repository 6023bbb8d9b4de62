import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { Cell } from '../../../lib/table.ts'
import { type PriceBook, totalCost } from '../../costs/index.ts'

type Details = [
  digests: string[],
  examples: (string | null)[],
  evaluations: string[],
  heads: string[],
  outputs: string[],
  ownScores: string[],
  lateScores: (string | null)[],
  middles: string[],
  tails: string[],
  usages: (string | null)[],
  starts: number[],
  unresolved: number[],
  storedOutputs: (string | null)[],
  storedInputs: (string | null)[],
]

/**
 * Result rows as pieces of JSON text, joined by commas. Trials arrive in order, grouped by row and
 * evaluation.
 *
 * @param chunks columns of `detailsStatement`
 * @param warnings collects warnings
 */
export async function* rowPieces(
  chunks: AsyncGenerator<Cell[][]>,
  { prices, warnings }: { prices: PriceBook | undefined; warnings: string[] },
): AsyncGenerator<string[]> {
  let unresolvedRows = 0
  let row: string | undefined
  let evaluation: string | undefined
  for await (const columns of chunks) {
    const [digests, examples, evaluations, heads, outputs, ownScores, lateScores, middles, tails, ...more] =
      columns as Details
    const [usages, starts, unresolved, storedOutputs, storedInputs] = more
    const pieces: string[] = []
    for (const [index, digest] of digests.entries()) {
      const isNewRow = digest !== row
      const isNewEvaluation = isNewRow || evaluations[index] !== evaluation
      if (row !== undefined) pieces.push(isNewRow ? ']}]},' : isNewEvaluation ? ']},' : ',')
      if (isNewRow) {
        unresolvedRows += unresolved[index]!
        const example = memberTexts(storedInputs[index]!)?.('example') ?? examples[index] ?? 'null'
        pieces.push(`{"row_digest":${JSON.stringify(digest)},"raw_data_row":${example},"evaluations":[`)
      }
      row = digest
      evaluation = evaluations[index]
      if (isNewEvaluation) pieces.push(`{"evaluation_call_id":${JSON.stringify(evaluation)},"trials":[`)
      const cost = prices && totalCost(prices, usages[index]!, starts[index]!)
      const stored = memberTexts(storedOutputs[index]!)
      const output = stored?.('output') ?? outputs[index]!
      const scores = withMembers(objectText(stored?.('scores')) ?? ownScores[index]!, lateScores[index]!)
      const costText = cost === undefined ? 'null' : JSON.stringify(cost)
      pieces.push(heads[index]!, output, ',"scores":', scores, middles[index]!, costText, tails[index]!)
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
