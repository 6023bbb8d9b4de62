import type { Branch, Relation } from '../../../lib/relation.ts'
import type { CallsPlan } from '../../calls-plan.ts'
import { type ClickHouseScope, clickHouseCondition, NotExact } from './condition.ts'
import { type ClickHouseParameter, ClickHouseParameters } from './parameters.ts'

/** A statement for ClickHouse. Values of requests are parameters, never part of its text. */
export interface ClickHouseStatement {
  readonly text: string
  readonly parameters: readonly ClickHouseParameter[]
}

/** Data files as ClickHouse finds them. */
interface ClickHouseFiles {
  readonly folder: string
  readonly names: readonly string[]
}

/** The branches of a relation, divided between the two engines. */
export interface SharedBranches {
  /** Paths of the data files that ClickHouse can read as they are. */
  readonly paths: readonly string[]
  /** Tables of the keys that are hidden in these files. */
  readonly masks: readonly string[]
  /** The branches for DuckDB. */
  readonly rest: Relation
}

/** Assigns data files that need no conversion to ClickHouse, and everything else to DuckDB. */
export function sharedBranches(relation: Relation): SharedBranches {
  const plain = relation.branches.filter(isPlain)
  const masks = plain[0]?.masks ?? []
  const isMasked = (branch: Branch) => branch.masks.join() === masks.join()
  const theirs = new Set<Branch>(plain.filter(isMasked))
  const paths = new Set([...theirs].flatMap(({ source }) => (source.kind === 'files' ? source.paths : [])))
  const branches = relation.branches.filter((branch) => !theirs.has(branch))
  return { paths: [...paths], masks, rest: { ...relation, branches } }
}

/** Row ranges only say where matching rows are; all rows of the files may be read as well. */
const isPlain = ({ source }: Branch): boolean =>
  source.kind === 'files' &&
  source.missing === '' &&
  (source.converted ?? '') === '' &&
  source.deletedRows === undefined

/**
 * Counts the calls of a plan in data files: how many files were found, how many calls match, and
 * for how many calls the engines may differ.
 *
 * @param hidden ids of calls whose rows in the files are outdated
 * @throws NotExact if ClickHouse would not answer as DuckDB does
 */
export function compileClickHouseCount(
  { projectId, where, after }: Pick<CallsPlan, 'projectId' | 'where' | 'after'>,
  { presenceColumn, key }: Pick<Relation, 'presenceColumn' | 'key'>,
  files: ClickHouseFiles,
  hidden: readonly string[],
): ClickHouseStatement {
  if (after !== undefined) throw new NotExact('pages')
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
  const visible = terms.join(' AND ')
  const condition = clickHouseCondition(where, scope)
  const structure = [...columns].map(([name, type]) => `"${name}" ${type}`).join(', ')
  const from = `FROM file(${literal(pattern(files))}, 'Parquet', ${literal(structure)})`
  const doubtful = [...scope.doubts].map((doubt) => `(${doubt})`).join(' OR ')
  return {
    text: `SELECT (SELECT uniqExact(_path) ${from}) AS files,
  (SELECT count() ${from} WHERE ${visible} AND ${condition}) AS found,
  ${doubtful === '' ? '0' : `(SELECT count() ${from} WHERE ${visible} AND (${doubtful}))`} AS doubtful
FORMAT JSONCompact`,
    parameters: parameters.values,
  }
}

/** One pattern for all files, which ClickHouse reads side by side. */
function pattern({ folder, names }: ClickHouseFiles): string {
  if (names.some((name) => !/^[\w.=-]+$/.test(name))) throw new NotExact('files of other programs')
  return `${folder}/${names.length === 1 ? names.join() : `{${names.join(',')}}`}`
}

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
