import type { Relation } from '../../../lib/relation.ts'
import { type CallsPlan, startedAt } from '../../calls-plan.ts'
import type { Expression } from '../../expression.ts'
import { conjuncts } from '../../row-bounds.ts'
import { type ClickHouseScope, clickHouseCondition, microsSql, NotExact } from './condition.ts'
import { type ClickHousePage, clickHouseAfter, clickHouseOrder } from './order.ts'
import { type ClickHouseParameter, ClickHouseParameters } from './parameters.ts'

/** A statement for ClickHouse. Values of requests are parameters, never part of its text. */
export interface ClickHouseStatement {
  readonly text: string
  readonly parameters: readonly ClickHouseParameter[]
}

/** Data files as ClickHouse finds them. */
export interface ClickHouseFiles {
  /** A path, or an address in an object store. */
  readonly folder: string
  readonly names: readonly string[]
  /** Whether they are in an object store, and keys to it if ClickHouse has none of its own. */
  readonly store: { readonly keys: { readonly id: string; readonly secret: string } | undefined } | undefined
}

/** What is read of which files. */
interface ClickHouseRead {
  readonly plan: Pick<CallsPlan, 'projectId'>
  readonly where: Expression
  readonly relation: Pick<Relation, 'presenceColumn' | 'key'>
  readonly files: ClickHouseFiles
  /** Ids of calls whose rows in the files are outdated. */
  readonly hidden: readonly string[]
}

/**
 * Counts the calls of a plan in data files: how many files were found, how many calls match, and
 * for how many calls the engines may differ.
 *
 * @throws NotExact if ClickHouse would not answer as DuckDB does
 */
export function compileClickHouseCount(read: ClickHouseRead): ClickHouseStatement {
  const { scope, visible, condition } = conditionsOf(read)
  const from = fromSql(read.files, scope)
  return {
    text: `SELECT (SELECT uniqExact(_path) ${from}) AS files, countIf(${condition}) AS found,
  countIf(${doubtSql(scope)}) AS doubtful
${from} WHERE ${visible}
FORMAT JSONCompact`,
    parameters: scope.parameters.values,
  }
}

/**
 * Finds calls of a plan in data files: how many files were found, for how many calls the engines
 * may differ (0 only if there are none), and the id and the start of calls, in microseconds.
 *
 * @param page the first calls of an order; `limit` of any calls without it
 * @throws NotExact if ClickHouse would not answer as DuckDB does
 */
export function compileClickHouseKeys(
  read: ClickHouseRead,
  { page, limit }: { readonly page: ClickHousePage | undefined; readonly limit: number },
): ClickHouseStatement {
  const { scope, visible, condition } = conditionsOf(read)
  const after = page?.after === undefined ? '' : ` AND ${clickHouseAfter(page.after, scope)}`
  const [, idColumn] = read.relation.key
  scope.columns.set(idColumn, 'String')
  const start = microsSql(startedAt, scope)
  const terms = [
    ...(scope.doubts.size === 0 ? [] : ['doubtful DESC']),
    ...(page === undefined ? [] : clickHouseOrder(page.sort, scope)),
  ]
  const order = terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`
  const from = fromSql(read.files, scope)
  const doubtful = doubtSql(scope)
  return {
    text: `SELECT (SELECT uniqExact(_path) ${from}) AS files, countIf(doubtful) AS doubts,
  groupArray((key, start)) AS keys
FROM (SELECT "${idColumn}" AS key, ${start} AS start, ${doubtful} AS doubtful
  ${from} WHERE ${visible} AND ((${condition}${after}) OR ${doubtful})${order} LIMIT ${scope.parameters.integer(limit)})
FORMAT JSONCompact`,
    parameters: scope.parameters.values,
  }
}

function conditionsOf({ plan: { projectId }, where, relation: { presenceColumn, key }, hidden }: ClickHouseRead) {
  const [projectColumn, idColumn] = key
  if (projectColumn !== 'project_id' || projectId === '') throw new Error('A relation is read without its project')
  const parameters = new ClickHouseParameters()
  const columns = new Map([
    [projectColumn, 'String'],
    [presenceColumn, 'Nullable(String)'],
  ])
  const scope: ClickHouseScope = { parameters, columns, doubts: new Set() }
  const terms = [`"${projectColumn}" = ${parameters.text(projectId)}`, `isNotNull("${presenceColumn}")`]
  if (hidden.length > 0) {
    columns.set(idColumn, 'String')
    terms.push(`NOT has(${parameters.texts(hidden)}, "${idColumn}")`)
  }
  const uncertain: string[] = []
  for (const item of conjuncts(where)) {
    const ofItem: ClickHouseScope = { parameters, columns, doubts: new Set() }
    const condition = clickHouseCondition(item, ofItem)
    // What surely holds for no row need not be doubted for it.
    if (ofItem.doubts.size === 0) terms.push(condition)
    else uncertain.push(condition)
    for (const doubt of ofItem.doubts) scope.doubts.add(doubt)
  }
  return { scope, visible: terms.join(' AND '), condition: uncertain.join(' AND ') || 'true' }
}

/** Whether the engines may differ for a row. */
const doubtSql = ({ doubts }: ClickHouseScope): string =>
  doubts.size === 0 ? 'false' : `ifNull(${[...doubts].map((doubt) => `(${doubt})`).join(' OR ')}, false)`

function fromSql(files: ClickHouseFiles, { columns, parameters }: ClickHouseScope): string {
  const structure = [...columns].map(([name, type]) => `"${name}" ${type}`).join(', ')
  const keys = files.store?.keys
  const credentials = keys === undefined ? [] : [parameters.text(keys.id), parameters.text(keys.secret)]
  const list = [literal(pattern(files)), ...credentials, "'Parquet'", literal(structure)]
  return `FROM ${files.store === undefined ? 'file' : 's3'}(${list.join(', ')})`
}

/** One pattern for all files, which ClickHouse reads side by side. */
function pattern({ folder, names }: ClickHouseFiles): string {
  if (names.some((name) => !/^[\w.=-]+$/.test(name))) throw new NotExact('files of other programs')
  return `${folder}/${names.length === 1 ? names.join() : `{${names.join(',')}}`}`
}

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
