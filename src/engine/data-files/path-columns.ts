import { shownColumn } from '../../lib/json-pointer.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { PathedColumn, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { type ChosenPath, choosePaths, keyOf, type RowPath } from './choose-paths.ts'
import { pathColumnNames as names, pathsTag, sharedTag, shownTag } from './path-tags.ts'

/** Marks a value that does not fit; it is not JSON. The file then counts as having no such path. */
const misfit = ''

/** The path columns of a file that is about to be written. */
export interface PathPlan {
  readonly columns: ReadonlyMap<string, ChosenPath>
  /** The content of `shownTag`; empty if the file does not get the tag. */
  readonly shown: Readonly<Record<string, string>>
  /** The content of `sharedTag`; empty if the file does not get the tag. */
  readonly shared: Readonly<Record<string, string>>
  /** What a sample suggests, to be checked while the file is written; undefined if it is known. */
  readonly assumed: Assumptions | undefined
}

/** What has to be true of every row, besides that the values of all paths fit. */
interface Assumptions {
  /** Columns with paths. */
  readonly pathed: readonly PathedColumn[]
  /** Paths that have the same value. */
  readonly pairs: readonly (readonly [ChosenPath, RowPath])[]
}

/**
 * Chooses the paths of `source` (a FROM clause over file columns, named `t`). See
 * docs/decisions/152-path-columns-of-spans.md.
 */
export async function planPathColumns(
  writer: Writer,
  table: Table,
  source: string,
  rows: number,
): Promise<PathPlan | undefined> {
  const { pathed = [] } = table
  if (pathed.length === 0) return undefined
  if (rows < storageLimits.pathRowsMin) return noPaths
  const chosen = await choosePaths(writer, pathed, source)
  const used = new Set(chosen.flatMap((path) => [path, ...path.sameAs]).map(({ column }) => column))
  const columns = pathed.filter(({ name }) => used.has(name))
  const pairs = chosen.flatMap((path) => path.sameAs.map((same): readonly [ChosenPath, RowPath] => [path, same]))
  return { ...planOf(chosen, columns, claimsOf(columns)), assumed: { pathed: columns, pairs } }
}

/** The plan of a file whose path columns hold nothing. */
export const noPaths: PathPlan = { columns: new Map(), shown: {}, shared: {}, assumed: undefined }

function planOf(chosen: readonly ChosenPath[], pathed: readonly PathedColumn[], claims: readonly Claim[]): PathPlan {
  const isClaimed = (tag: Claim['tag']) => (column: PathedColumn) =>
    claims.some((claim) => claim.tag === tag && claim.name === column.name)
  const shown = pathed.filter(isShown).filter(isClaimed(shownTag))
  const shared = pathed.filter(isShared).filter(isClaimed(sharedTag))
  return {
    columns: assigned(chosen),
    shown: Object.fromEntries(shown.map(({ name, shownAs }) => [name, shownColumn(shownAs.column, shownAs.member)])),
    shared: Object.fromEntries(shared.map(({ name, sharedIn }) => [name, sharedIn.column])),
    assumed: undefined,
  }
}

/** What a tag says of a column. */
interface Claim {
  readonly tag: typeof shownTag | typeof sharedTag
  readonly name: string
  /** The condition that it is not true of the row `t`. */
  readonly unlessSql: string
}

const claimsOf = (pathed: readonly PathedColumn[]): Claim[] => [
  ...pathed.filter(isShown).map((column): Claim => {
    const { name, shownAs } = column
    const wasSent = `contains(t."${shownAs.column}", ${textLiteral(JSON.stringify(shownAs.member))})`
    return { tag: shownTag, name, unlessSql: wasSent }
  }),
  ...pathed.filter(isShared).map(
    (column): Claim => ({
      tag: sharedTag,
      name: column.name,
      unlessSql: unsharedSql(column),
    }),
  ),
]

/**
 * The part of an assumed plan that is true: asks all rows which paths have the same values, and
 * what else is true of the columns with chosen paths.
 */
export async function confirmedPlan(writer: Writer, source: string, plan: PathPlan): Promise<PathPlan> {
  if (plan.assumed === undefined) return plan
  const { pathed, pairs } = plan.assumed
  const claims = claimsOf(pathed)
  const { items, from } = extraction(pairs.flat(), '', source)
  const faults = [...differences(items), ...claims.map(({ unlessSql }) => unlessSql)]
  if (faults.length === 0) return { ...plan, assumed: undefined }
  // Text that is not JSON has no paths.
  const found = await writer
    .rowsLong(`SELECT ${faults.map((fault) => `bool_or(${fault})::INTEGER`).join(', ')} FROM ${from}`)
    .catch(() => undefined)
  const answers = found?.[0] ?? []
  const isSame = new Map(pairs.map(([, same], index) => [keyOf(same), answers[index] === 0]))
  const chosen = [...plan.columns.values()].map((path) => ({
    ...path,
    sameAs: path.sameAs.filter((same) => isSame.get(keyOf(same))),
  }))
  const isTrue = (_: Claim, index: number) => found !== undefined && answers[pairs.length + index] !== 1
  return planOf(chosen, pathed, claims.filter(isTrue))
}

/** Conditions that values differ, of which each two form a pair. */
const differences = (values: readonly string[]): string[] =>
  values.flatMap((value, index) => (index % 2 === 0 ? [`${value} IS DISTINCT FROM ${values[index + 1]}`] : []))

/** A column that clients see as a member of another one. */
type ShownColumn = PathedColumn & Required<Pick<PathedColumn, 'shownAs'>>

const isShown = (column: PathedColumn): column is ShownColumn => column.shownAs !== undefined

/** A column whose shared members another column holds. */
type SharedColumn = PathedColumn & Required<Pick<PathedColumn, 'sharedIn'>>

export const isShared = (column: PathedColumn): column is SharedColumn => column.sharedIn !== undefined

/** The condition that the row `t` has its shared members in the column itself. */
export const unsharedSql = ({ name, sharedIn }: SharedColumn): string => {
  const { column, unless } = sharedIn
  return `t."${name}" IS NOT NULL AND coalesce(t."${column}", ${textLiteral(unless)}) = ${textLiteral(unless)}`
}

/**
 * Paths prefer a column by their name, so that most files keep the same path in the same column,
 * and a query can read them together.
 */
function assigned(chosen: readonly ChosenPath[]): Map<string, ChosenPath> {
  const columns = new Map<string, ChosenPath>()
  for (const path of chosen.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    let at = hash(keyOf(path)) % names.length
    while (columns.has(itemAt(names, at))) at = (at + 1) % names.length
    columns.set(itemAt(names, at), path)
  }
  return columns
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return value
}

/**
 * A select list and a FROM clause (named `t`) of file columns and path columns. A row of which an
 * assumption is not true is an error.
 */
export function withPathColumns(
  { columns, source }: { columns: string; source: string },
  plan: PathPlan | undefined,
): { columns: string; source: string } {
  if (plan === undefined) return { columns, source }
  const { assumed } = plan
  const pairs = assumed?.pairs ?? []
  const { items, from } = extraction([...plan.columns.values(), ...pairs.flat()], columns, source)
  // In a select of their own: the values are named several times below, and computed once.
  const extracted = [...plan.columns.keys()].map((name, index) => `${items[index]} AS "_${name}"`)
  const claims = claimsOf(assumed?.pathed ?? [])
  const faults = [...differences(items.slice(plan.columns.size)), ...claims.map(({ unlessSql }) => unlessSql)]
  if (faults.length > 0) extracted.push(`${faults.join(' OR ')} AS "_isFaulty"`)
  const [first] = plan.columns.keys()
  const values = names.map((name) => {
    if (!plan.columns.has(name)) return `NULL::VARCHAR AS "${name}"`
    const value = fittingSql(`t."_${name}"`, assumed === undefined ? `'${misfit}'` : untrueSql)
    const isChecked = faults.length > 0 && name === first
    return `${isChecked ? `CASE WHEN t."_isFaulty" THEN ${untrueSql} ELSE ${value} END` : value} AS "${name}"`
  })
  return {
    columns: `${columns}, ${values.join(', ')}`,
    source: extracted.length === 0 ? from : `(SELECT ${[columns, ...extracted].join(', ')} FROM ${from}) t`,
  }
}

/** Ends the statement where an assumption is not true. */
const untrueSql = "error('The path columns of a file are not as the sample suggests')"

/**
 * The JSON texts at some paths, and a FROM clause (named `t`) in which they are known, with
 * `columns` of the source. Each column is parsed once.
 */
function extraction(paths: readonly RowPath[], columns: string, source: string): { items: string[]; from: string } {
  const byColumn = Map.groupBy(paths, ({ column }) => column)
  const distinct = new Map(
    [...byColumn].map(([column, some]) => [column, [...new Set(some.map(({ pointer }) => pointer))]]),
  )
  const extracted = [...distinct].map(([column, pointers]) => {
    const list = pointers.map((pointer) => textLiteral(pointer)).join(', ')
    return `json_extract(t."${column}", [${list}]) AS "_${column}"`
  })
  const items = paths.map(({ column, pointer }) => {
    const at = valueAt(distinct, column).indexOf(pointer) + 1
    return `CAST(t."_${column}"[${at}] AS VARCHAR)`
  })
  if (extracted.length === 0) return { items, from: source }
  return { items, from: `(SELECT ${[columns === '' ? 't.*' : columns, ...extracted].join(', ')} FROM ${source}) t` }
}

function fittingSql(value: string, ifMisfit: string): string {
  const isParent = `starts_with(${value}, '{') OR starts_with(${value}, '[')`
  const isMisfit = `strlen(${value}) > ${storageLimits.pathValueBytesMax} OR ${isParent}`
  return `CASE WHEN ${isMisfit} THEN ${ifMisfit} ELSE ${value} END`
}

/** The tags of a file that was written with the plan; none if no path is whole. */
export async function pathTagsOf(
  writer: Writer,
  file: string,
  plan: PathPlan | undefined,
): Promise<Record<string, string>> {
  if (plan === undefined || plan.columns.size === 0) return {}
  const planned = [...plan.columns]
  const whole = plan.assumed === undefined ? await wholeColumns(writer, file, planned) : planned
  if (whole.length === 0) return {}
  const paths = whole.flatMap(([name, path]) => [path, ...path.sameAs].map((one) => [keyOf(one), name]))
  return {
    [pathsTag]: JSON.stringify(Object.fromEntries(paths)),
    ...(Object.keys(plan.shown).length > 0 && { [shownTag]: JSON.stringify(plan.shown) }),
    ...(Object.keys(plan.shared).length > 0 && { [sharedTag]: JSON.stringify(plan.shared) }),
  }
}

/** Those of the columns in which every value fits. */
async function wholeColumns<C extends readonly [name: string, path: ChosenPath]>(
  writer: Writer,
  file: string,
  planned: readonly C[],
): Promise<C[]> {
  const items = planned.map(([name]) => `coalesce(bool_or("${name}" = '${misfit}'), false)`)
  const [misfits = []] = await writer.rowsLong(
    `SELECT ${items.map((item) => `(${item})::INTEGER`).join(', ')} FROM read_parquet(${textLiteral(file)})`,
  )
  return planned.filter((_, index) => misfits[index] === 0)
}
