import { md5Start } from '../../runtime/platform/crypto.ts'

/** How many rows a file has, and how many of them form a block. */
export interface Blocks {
  readonly rows: number
  readonly blockRows: number
}

/**
 * Rows are found by blocks: DuckDB decompresses a run of rows as a whole anyway. There is one entry
 * for each value in a block: the upper bits of the value's hash, and the number of the block, which
 * takes this many bits.
 */
export function blockBitsOf({ rows, blockRows }: Blocks): number {
  let bits = 1
  while (2 ** bits * blockRows < rows) bits++
  return bits
}

/**
 * SQL for the sorted entries of a column of a data file. `md5_number_upper` is the number that
 * `md5Start` returns.
 */
export function entriesSql(column: string, source: string, blocks: Blocks): string {
  const blockBits = blockBitsOf(blocks)
  const entry = `((md5_number_upper(value) >> ${32 + blockBits}) << ${blockBits}) | block`
  return `SELECT (${entry})::UINTEGER AS entry FROM (
      SELECT "${column}" AS value, file_row_number // ${blocks.blockRows} AS block FROM ${source}
      WHERE "${column}" IS NOT NULL GROUP BY ALL
    ) ORDER BY entry`
}

/** The smallest entry that a value may have; it has up to `2 ** blockBits` of them. */
export const firstEntryOf = (value: string, blockBits: number): number =>
  Number((md5Start(value) >> BigInt(32 + blockBits)) << BigInt(blockBits))
