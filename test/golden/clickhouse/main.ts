import process from 'node:process'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { ClickHouseServer } from '../../../src/runtime/clickhouse/clickhouse-server.ts'
import { Random, seedOf } from '../random.ts'
import { ComparedConditions } from './compared-conditions.ts'
import { ComparedRows } from './compared-rows.ts'

/*
 * For the tests with other engines: compares what DuckDB and ClickHouse find by random conditions
 * with a naive evaluator. Prints each difference and, in the last line, what was compared.
 *
 *   main.ts --url URL --folder FOLDER [--address ADDRESS] --conditions N
 *
 * Data files are written to the folder; ClickHouse finds them there, or at the address of an object
 * store. Names of the environment: CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, STORE_KEY, STORE_SECRET.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    folder: { type: 'string', default: '' },
    address: { type: 'string' },
    conditions: { type: 'string', default: '' },
  },
})

const conditionsPerRows = 2_000
const differencesMax = 20

const random = new Random(seedOf('random conditions'))
const user = Bun.env['CLICKHOUSE_USER'] ?? ''
const password = Bun.env['CLICKHOUSE_PASSWORD'] ?? ''
const settings = { url: values.url, user, password, location: values.folder, storeKeys: undefined, bytesMin: 0 }
const server = new ClickHouseServer({ settings, timeoutMs: 600_000, log: pino() })
const compared = new ComparedConditions(server)
const wanted = Number(values.conditions)
let differences = 0
while (compared.count < wanted && differences < differencesMax) {
  const rows = await ComparedRows.write(random, values)
  const count = Math.min(conditionsPerRows, wanted - compared.count)
  for (const difference of await compared.compare(random, rows, count)) {
    console.log(difference)
    differences += 1
  }
  console.log(compared.summary)
}
process.exit(differences === 0 ? 0 : 1)
