import type { Cell } from '../../../model/table.ts'
import type { PriceBook } from '../../costs/price-book.ts'
import { totalCost } from './total-cost.ts'

type Details = [
  digests: string[],
  examples: (string | null)[],
  evaluations: string[],
  heads: string[],
  tails: string[],
  usages: (string | null)[],
  starts: number[],
  unresolved: number[],
]

/**
 * Rows of the answer as pieces of JSON text, joined by commas. Trials come in order, and what belongs to one row and one evaluation
 * stands together.
 *
 * @param chunks columns of `detailsStatement`
 * @param warnings takes in what there is to warn of
 */
export async function* rowPieces(
  chunks: AsyncGenerator<Cell[][]>,
  { prices, warnings }: { prices: PriceBook | undefined; warnings: string[] },
): AsyncGenerator<string[]> {
  let unresolvedRows = 0
  let row: string | undefined
  let evaluation: string | undefined
  for await (const columns of chunks) {
    const [digests, examples, evaluations, heads, tails, usages, starts, unresolved] = columns as Details
    const pieces: string[] = []
    for (const [index, digest] of digests.entries()) {
      const isNewRow = digest !== row
      const isNewEvaluation = isNewRow || evaluations[index] !== evaluation
      if (row !== undefined) pieces.push(isNewRow ? ']}]},' : isNewEvaluation ? ']},' : ',')
      if (isNewRow) {
        unresolvedRows += unresolved[index]!
        pieces.push(
          `{"row_digest":${JSON.stringify(digest)},"raw_data_row":${examples[index] ?? 'null'},"evaluations":[`,
        )
      }
      row = digest
      evaluation = evaluations[index]
      if (isNewEvaluation) pieces.push(`{"evaluation_call_id":${JSON.stringify(evaluation)},"trials":[`)
      const cost = prices && totalCost(prices, usages[index]!, starts[index]!)
      pieces.push(heads[index]!, cost === undefined ? 'null' : JSON.stringify(cost), tails[index]!)
    }
    yield pieces
  }
  if (row !== undefined) yield [']}]}']
  if (unresolvedRows > 0) {
    warnings.push(`Resolve refs of rows: ${unresolvedRows} are not of this project, or their rows are not there`)
  }
}
