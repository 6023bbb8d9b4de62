import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
import type { Rollup, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { parquetOptions } from '../../runtime/duck/files-sql.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { readBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { stepOfSumsSql, stepsFor } from './rollup-steps.ts'

/** Key of the Parquet metadata that identifies the contents of a rollup; see `markSql`. */
const markKey = 'tracelake.rollup'

const scratch = 'rollup_of_a_file'

/**
 * The rollup of a data file of this table, as a Parquet file. Undefined if the file is too small,
 * or its rows do not add up to few.
 *
 * @param source FROM item of the rows of the file
 * @param temporary file that DuckDB may write, and that is removed
 */
export async function rollupBytes(
  writer: Writer,
  table: Table,
  { source, temporary }: { source: string; temporary: string },
): Promise<Uint8Array | undefined> {
  const mark = await fillRollup(writer, table, source)
  if (mark === undefined) return undefined
  try {
    await writer.execute(
      `COPY ${scratch} TO ${textLiteral(temporary)}
       (${parquetOptions}, KV_METADATA {'${markKey}': ${textLiteral(mark)}})`,
    )
    return await readBytes(temporary)
  } finally {
    await removeFile(temporary).catch(() => {})
    await writer.execute(`DROP TABLE ${scratch}`)
  }
}

/** Whether the file at `path` is the rollup of these rows; reads it whole. */
export async function isRollupOf(writer: Writer, table: Table, source: string, path: string): Promise<boolean> {
  const step = stepOfSumsSql(present(table.rollup, 'The rollup of the table'))
  const { stated } = await writer.readOne(
    { stated: 'number' },
    `SELECT ${step} FROM read_parquet(${textLiteral(path)})`,
  )
  if ((await fillRollup(writer, table, source, stated)) === undefined) return false
  try {
    const columns = await writer.read(
      { name: 'text', type: 'text' },
      `SELECT column_name, column_type FROM (DESCRIBE ${scratch})`,
    )
    const differs = columns.map(({ name, type }) => {
      const [a, b] = [`a."${name}"`, `b."${name}"`]
      // The order in which threads add up differs from one time to the next.
      const isClose = `abs(${a} - ${b}) <= 1e-9 * abs(${a})`
      return type === 'DOUBLE'
        ? `NOT coalesce(${isClose}, ${a} IS NULL AND ${b} IS NULL)`
        : `${a} IS DISTINCT FROM ${b}`
    })
    const { different } = await writer.readOne(
      { different: 'number' },
      `SELECT count(*)::DOUBLE FROM ${scratch} a POSITIONAL JOIN read_parquet(${textLiteral(path)}) b
       WHERE ${differs.join(' OR ')}`,
    )
    return different === 0
  } finally {
    await writer.execute(`DROP TABLE ${scratch}`)
  }
}

/**
 * Computes a rollup as a temporary table.
 *
 * @param statedStep microseconds by which rows are added up; chosen by their times if undefined
 * @returns its mark; undefined, and no table, if the rows need no rollup
 */
async function fillRollup(
  writer: Writer,
  table: Table,
  source: string,
  statedStep?: number,
): Promise<string | undefined> {
  const { rollup } = table
  if (rollup === undefined) return undefined
  const time = `"${rollup.time}"`
  const { rows, micros } = await writer.readOne(
    { rows: 'number', micros: 'number?' },
    `SELECT count(*)::DOUBLE, (epoch_us(max(${time})) - epoch_us(min(${time})))::DOUBLE FROM ${source}`,
  )
  if (rows < storageLimits.rollupFileRowsMin) return undefined
  const stated = statedStep && [{ stepMicros: statedStep, shareMax: storageLimits.rollupShareMax }]
  for (const { stepMicros, shareMax } of stated || stepsFor(micros)) {
    await writer.executeLong(`CREATE OR REPLACE TEMPORARY TABLE ${scratch} AS ${rollup.statement(source, stepMicros)}`)
    const { sums, mark } = await writer.readOne(
      { sums: 'number', mark: 'text' },
      `SELECT (SELECT count(*)::DOUBLE FROM ${scratch}), (${markSql(rollup, scratch)})`,
    )
    if (sums <= rows * shareMax) return mark
    await writer.execute(`DROP TABLE ${scratch}`)
  }
  return undefined
}

/**
 * SELECT of a text that identifies the rows of a rollup, whatever their order: the version, their
 * number and a hash. The lists are left out, so that they need not be read.
 *
 * @param rows FROM item of the rows
 */
const markSql = ({ version, lists }: Rollup, rows: string): string =>
  `SELECT '${version} ' || count(*) || ' ' || coalesce(bit_xor(hash(r)), 0)
   FROM (SELECT * EXCLUDE ("${lists}") FROM ${rows}) r`

/** Whether a rollup holds what was written to it, by this version. */
export async function hasOwnMark(writer: Writer, { rollup }: Table, path: string): Promise<boolean> {
  const stated = await statedMark(writer, path)
  const actual = markSql(present(rollup, 'The rollup of the table'), `read_parquet(${textLiteral(path)})`)
  return stated === (await writer.readOne({ mark: 'text?' }, actual)).mark
}

/** The mark that a rollup was written with; undefined if it has none. */
export async function statedMark(writer: Writer, path: string): Promise<string | undefined> {
  const [found] = await writer.read(
    { mark: 'text' },
    `SELECT decode(value) FROM parquet_kv_metadata(${textLiteral(path)}) WHERE decode(key) = '${markKey}'`,
  )
  return found?.mark
}
