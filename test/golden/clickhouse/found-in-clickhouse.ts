import type { Expression } from '../../../src/query/expression.ts'
import { type ClickHouseScope, clickHouseCondition } from '../../../src/query/sql/clickhouse/condition.ts'
import { ClickHouseParameters } from '../../../src/query/sql/clickhouse/parameters.ts'
import {
  type ClickHouseFiles,
  type ClickHouseStatement,
  compileClickHouseKeys,
} from '../../../src/query/sql/clickhouse/statements.ts'
import { branchOf, projectId } from '../fixture.ts'

/** The HTTP interface of ClickHouse. */
export interface Server {
  readonly url: string
  readonly user: string
  readonly password: string
}

/** Ids of the calls that ClickHouse found, and for how many calls it may differ from DuckDB. */
export interface Found {
  readonly ids: readonly string[]
  readonly doubts: number
}

const relation = branchOf('calls', 'op_name')
const limit = 100_000

/** What each of some conditions finds, in one statement. */
export async function findAtOnce(
  server: Server,
  files: ClickHouseFiles,
  conditions: readonly Expression[],
): Promise<Found[]> {
  const parameters = new ClickHouseParameters()
  const columns = new Map([['id', 'String']])
  const parts = conditions.map((where) => {
    const scope: ClickHouseScope = { parameters, columns, doubts: new Set() }
    const condition = clickHouseCondition(where, scope)
    const doubts = [...scope.doubts].map((doubt) => `ifNull(${doubt}, false)`).join(' OR ')
    return `(groupArrayIf("id", ifNull(${condition}, false)), countIf(${doubts || 'false'}))`
  })
  const statement = `SELECT tuple(${parts.join(',\n')}) FROM ${tableSql(files, columns, parameters)} FORMAT JSONCompact`
  const [found] = await row<[[string[], number][]]>(server, { text: statement, parameters: parameters.values })
  return found.map(([ids, doubts]) => ({ ids, doubts }))
}

function tableSql(
  { folder, names, store }: ClickHouseFiles,
  columns: ReadonlyMap<string, string>,
  parameters: ClickHouseParameters,
): string {
  const structure = [...columns].map(([name, type]) => `"${name}" ${type.replaceAll("'", "\\'")}`).join(', ')
  const keys = store?.keys === undefined ? [] : [parameters.text(store.keys.id), parameters.text(store.keys.secret)]
  const list = [`'${folder}/{${names.join(',')}}'`, ...keys, "'Parquet'", `'${structure}'`]
  return `${store === undefined ? 'file' : 's3'}(${list.join(', ')})`
}

/** What a condition finds by the statement of the product. */
export async function findByStatement(server: Server, files: ClickHouseFiles, where: Expression): Promise<Found> {
  const read = { plan: { projectId }, where, relation, files, hidden: [] }
  const statement = compileClickHouseKeys(read, { page: undefined, limit })
  const [found, doubts, keys] = await row<[number, number, [string, number | null][]]>(server, statement)
  if (found !== files.names.length) throw new Error(`ClickHouse found ${found} of ${files.names.length} files`)
  return { ids: keys.map(([id]) => id), doubts }
}

async function row<T>({ url, user, password }: Server, { text, parameters }: ClickHouseStatement): Promise<T> {
  const address = new URL(url)
  address.searchParams.set('output_format_json_quote_64bit_integers', '0')
  for (const { name, text: value } of parameters) address.searchParams.set(`param_${name}`, value)
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password }
  const response = await fetch(address, { method: 'POST', headers, body: text })
  const answer = await response.text()
  if (!response.ok) throw new Error(`Ask ClickHouse: ${response.status} ${answer.slice(0, 2_000)}\n${text}`)
  const { data }: { data: [T] } = JSON.parse(answer)
  return data[0]
}
