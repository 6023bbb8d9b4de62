import { sharedMembers, shownColumn } from '../../lib/json-pointer.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { PathedColumn, Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Add } from '../delta/actions.ts'
import { type ChosenPath, choosePaths, keyOf, type RowPath } from './choose-paths.ts'

/**
 * Tag of an added file: a JSON object of the paths that have a column of their own in the file, as
 * JSON column and JSON Pointer, and the names of those columns. A column holds the JSON text of the
 * value, as `json_extract` prints it, and null where the path is missing.
 */
const pathsTag = 'tracelake.paths'

/**
 * Tag of an added file: a JSON object from JSON columns that clients see as a member of another
 * column to the `shownColumn` of that member. A column is listed only if no client has sent a
 * member of that name; statements about paths in the column then apply to the member as well.
 */
const shownTag = 'tracelake.shown'

/**
 * Tag of an added file: a JSON object from JSON columns to the column that holds the members which
 * their rows share. A column is listed only if this is so in every row (`sharedIn` of the table).
 */
const sharedTag = 'tracelake.shared'

/** Columns of a file that hold the JSON text at a path, by `columnPath`. */
export type PathColumns = ReadonlyMap<string, string>

const none: PathColumns = new Map()

/** Every file has all of these columns, so that files can be read together by any program. */
const names: readonly string[] = Array.from(
  { length: storageLimits.pathColumnsMax },
  (_, index) => `path_${String(index + 1).padStart(2, '0')}`,
)

/** Marks a value that does not fit; it is not JSON. The file then counts as having no such path. */
const misfit = ''

/** The path columns of a file that is about to be written. */
export interface PathPlan {
  readonly columns: ReadonlyMap<string, ChosenPath>
  /** The content of `shownTag`; empty if the file does not get the tag. */
  readonly shown: Readonly<Record<string, string>>
  /** The content of `sharedTag`; empty if the file does not get the tag. */
  readonly shared: Readonly<Record<string, string>>
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
  return await confirmedPlan(writer, source, chosen, columns)
}

const noPaths: PathPlan = { columns: new Map(), shown: {}, shared: {} }

/** A plan for the same columns without any path. */
export const emptyPlan = (plan: PathPlan | undefined): PathPlan | undefined => plan && noPaths

/**
 * Asks all rows what the sample suggests, which paths have the same values, and what else is true
 * of the columns with chosen paths.
 */
async function confirmedPlan(
  writer: Writer,
  source: string,
  chosen: readonly ChosenPath[],
  pathed: readonly PathedColumn[],
): Promise<PathPlan> {
  const pairs = chosen.flatMap((path) => path.sameAs.map((same): readonly [ChosenPath, RowPath] => [path, same]))
  const shown = pathed.flatMap(({ name, shownAs }) => (shownAs === undefined ? [] : [{ name, shownAs }]))
  const shared = pathed.filter(isShared)
  if (pairs.length + shown.length + shared.length === 0) return { ...noPaths, columns: assigned(chosen) }
  const { items, from } = extraction(pairs.flat(), '', source)
  const differences = pairs.map(
    (_, index) => `bool_or(${items[index * 2]} IS DISTINCT FROM ${items[index * 2 + 1]})::INTEGER`,
  )
  const members = shown.map(
    ({ shownAs }) =>
      `bool_or(contains(t."${shownAs.column}", ${textLiteral(JSON.stringify(shownAs.member))}))::INTEGER`,
  )
  const unshared = shared.map((column) => `bool_or(${unsharedSql(column)})::INTEGER`)
  // Text that is not JSON has no paths.
  const found = await writer
    .rowsLong(`SELECT ${[...differences, ...members, ...unshared].join(', ')} FROM ${from}`)
    .catch(() => undefined)
  const answers = found?.[0] ?? []
  const isTrueFrom = (first: number) => (_: unknown, index: number) =>
    answers[first + index] !== 1 && found !== undefined
  const isSame = new Map(pairs.map(([, same], index) => [keyOf(same), answers[index] === 0]))
  const columns = chosen.map((path) => ({ ...path, sameAs: path.sameAs.filter((same) => isSame.get(keyOf(same))) }))
  return {
    columns: assigned(columns),
    shown: Object.fromEntries(
      shown
        .filter(isTrueFrom(pairs.length))
        .map(({ name, shownAs }) => [name, shownColumn(shownAs.column, shownAs.member)]),
    ),
    shared: Object.fromEntries(
      shared.filter(isTrueFrom(pairs.length + shown.length)).map(({ name, sharedIn }) => [name, sharedIn.column]),
    ),
  }
}

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

/** A select list and a FROM clause (named `t`) of file columns and path columns. */
export function withPathColumns(
  { columns, source }: { columns: string; source: string },
  plan: PathPlan | undefined,
): { columns: string; source: string } {
  if (plan === undefined) return { columns, source }
  const { items, from } = extraction([...plan.columns.values()], columns, source)
  // In a select of their own: the values are named several times below, and computed once.
  const extracted = [...plan.columns.keys()].map((name, index) => `${items[index]} AS "_${name}"`)
  const values = names.map((name) => {
    const value = plan.columns.has(name) ? fittingSql(`t."_${name}"`) : 'NULL::VARCHAR'
    return `${value} AS "${name}"`
  })
  return {
    columns: `${columns}, ${values.join(', ')}`,
    source: extracted.length === 0 ? from : `(SELECT ${[columns, ...extracted].join(', ')} FROM ${from}) t`,
  }
}

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

function fittingSql(value: string): string {
  const isParent = `starts_with(${value}, '{') OR starts_with(${value}, '[')`
  const isMisfit = `strlen(${value}) > ${storageLimits.pathValueBytesMax} OR ${isParent}`
  return `CASE WHEN ${isMisfit} THEN '${misfit}' ELSE ${value} END`
}

/** The tags of a file that was written with the plan; none if no path is whole. */
export async function pathTagsOf(
  writer: Writer,
  file: string,
  plan: PathPlan | undefined,
): Promise<Record<string, string>> {
  if (plan === undefined || plan.columns.size === 0) return {}
  const planned = [...plan.columns]
  const items = planned.map(([name]) => `coalesce(bool_or("${name}" = '${misfit}'), false)`)
  const [misfits = []] = await writer.rowsLong(
    `SELECT ${items.map((item) => `(${item})::INTEGER`).join(', ')} FROM read_parquet(${textLiteral(file)})`,
  )
  const whole = planned.filter((_, index) => misfits[index] === 0)
  if (whole.length === 0) return {}
  const paths = whole.flatMap(([name, path]) => [path, ...path.sameAs].map((one) => [keyOf(one), name]))
  return {
    [pathsTag]: JSON.stringify(Object.fromEntries(paths)),
    ...(Object.keys(plan.shown).length > 0 && { [shownTag]: JSON.stringify(plan.shown) }),
    ...(Object.keys(plan.shared).length > 0 && { [sharedTag]: JSON.stringify(plan.shared) }),
  }
}

/** The path columns that an `add` action states; none if it states nothing readable. */
export function pathColumnsOf({ tags }: Pick<Add['add'], 'tags'>): PathColumns {
  const stated = statedIn(tags?.[pathsTag]).filter(([, column]) => names.includes(column))
  const shown = statedIn(tags?.[shownTag]).flatMap(([column, member]) =>
    stated.flatMap(([path, name]): [string, string][] =>
      path.startsWith(`${column}/`) ? [[member + path.slice(column.length), name]] : [],
    ),
  )
  return stated.length === 0 ? none : new Map([...stated, ...shown])
}

/** Columns that are read as a member of another column, and the paths of these members. */
export const shownColumnsOf = ({ tags }: Pick<Add['add'], 'tags'>): ReadonlyMap<string, string> =>
  new Map(statedIn(tags?.[shownTag]))

/** Columns that hold all members which another column shares, by `sharedMembers`. */
export function sharedColumnsOf(add: Pick<Add['add'], 'tags'>): PathColumns {
  const shown = shownColumnsOf(add)
  return new Map(
    statedIn(add.tags?.[sharedTag]).flatMap(([name, column]) =>
      [name, shown.get(name) ?? name].map((named): [string, string] => [sharedMembers(named), column]),
    ),
  )
}

function statedIn(text: string | undefined): [string, string][] {
  if (text === undefined) return []
  try {
    const stated = Object.entries<unknown>(JSON.parse(text))
    return stated.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  } catch {
    return []
  }
}
