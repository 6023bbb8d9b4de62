import { Type } from '@sinclair/typebox'
import type { Expression } from '../../../src/query/expression.ts'
import type { SortKey } from '../../../src/query/sort.ts'
import { type ClickHouseScope, clickHouseCondition } from '../../../src/query/sql/clickhouse/condition.ts'
import { ClickHouseParameters } from '../../../src/query/sql/clickhouse/parameters.ts'
import {
  type ClickHouseFiles,
  compileClickHouseCount,
  compileClickHouseKeys,
} from '../../../src/query/sql/clickhouse/statements.ts'
import type { ClickHouseServer } from '../../../src/runtime/clickhouse/clickhouse-server.ts'
import { branchOf, projectId } from '../fixture.ts'

/** Ids of the calls that ClickHouse found, and for how many calls it may differ from DuckDB. */
export interface Found {
  readonly ids: readonly string[]
  readonly doubts: number
}

const relation = branchOf('calls', 'op_name')
const limit = 100_000

const counts = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()])
const ids = Type.Array(Type.String())
const keys = Type.Array(Type.Tuple([Type.String(), Type.Union([Type.Integer(), Type.Null()])]))
const foundKeys = Type.Tuple([Type.Integer(), Type.Integer(), keys])
const foundAtOnce = Type.Tuple([Type.Array(Type.Tuple([ids, Type.Integer()]))])

/** What each of some conditions finds, in one statement. */
export async function findAtOnce(
  server: ClickHouseServer,
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
  const [found] = await server.row({ text: statement, parameters: parameters.values }, foundAtOnce, undefined)
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

/** What a condition finds by the statement of the product: all calls, or those of a page. */
export async function findByStatement(
  server: ClickHouseServer,
  files: ClickHouseFiles,
  where: Expression,
  page?: { readonly sort: readonly SortKey[]; readonly limit: number },
): Promise<Found> {
  const read = { plan: { projectId }, where, relation, files, hidden: [] }
  const first = page && { sort: page.sort, after: undefined }
  const statement = compileClickHouseKeys(read, { page: first, limit: page?.limit ?? limit })
  const [found, doubts, keys] = await server.row(statement, foundKeys, undefined)
  checkFiles(found, files)
  return { ids: keys.map(([id]) => id), doubts }
}

/** How many calls a condition finds by the statement of the product. */
export async function countByStatement(
  server: ClickHouseServer,
  files: ClickHouseFiles,
  where: Expression,
): Promise<{ count: number; doubts: number }> {
  const read = { plan: { projectId }, where, relation, files, hidden: [] }
  const [found, count, doubts] = await server.row(compileClickHouseCount(read), counts, undefined)
  checkFiles(found, files)
  return { count, doubts }
}

function checkFiles(found: number, { names }: ClickHouseFiles): void {
  if (found !== names.length) throw new Error(`ClickHouse found ${found} of ${names.length} files`)
}
