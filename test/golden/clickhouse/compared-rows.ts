import { mkdir, rm } from 'node:fs/promises'
import type { ClickHouseFiles } from '../../../src/query/sql/clickhouse/statements.ts'
import { parquetOptions } from '../../../src/runtime/duck/files-sql.ts'
import type { DataRow } from '../evaluator.ts'
import { Fixture } from '../fixture.ts'
import type { Random } from '../random.ts'
import { insertAll, randomRows } from '../random-rows.ts'

const rowCount = 120
/** Few enough that statistics of a file rule conditions out. */
const rowsPerFile = 20

/** Where data files are written, and the address at which ClickHouse finds them, if not there. */
interface Place {
  readonly folder: string
  readonly address?: string | undefined
}

/** Random calls in an evaluator, in DuckDB and in files that ClickHouse reads. */
export class ComparedRows {
  readonly rows: readonly DataRow[]
  readonly fixture: Fixture
  readonly files: ClickHouseFiles

  private constructor(rows: readonly DataRow[], fixture: Fixture, files: ClickHouseFiles) {
    this.rows = rows
    this.fixture = fixture
    this.files = files
  }

  static async write(random: Random, { folder, address }: Place): Promise<ComparedRows> {
    const rows = randomRows(random, rowCount)
    const fixture = await Fixture.open()
    await insertAll(fixture, rows)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const names: string[] = []
    for (let from = 0; from < rowCount; from += rowsPerFile) {
      const name = `calls-${from}.parquet`
      const select = `SELECT * FROM calls ORDER BY rowid LIMIT ${rowsPerFile} OFFSET ${from}`
      await fixture.run(`COPY (${select}) TO '${folder}/${name}' (${parquetOptions})`)
      names.push(name)
    }
    const keys = { id: Bun.env['STORE_KEY'] ?? '', secret: Bun.env['STORE_SECRET'] ?? '' }
    return new ComparedRows(rows, fixture, {
      folder: address ?? folder,
      names,
      store: address === undefined ? undefined : { keys },
    })
  }
}
