import { textLiteral } from '../../duck/column-types.ts'
import type { Writer } from '../../duck/writer.ts'
import { columnPath } from '../../kernel/json-pointer.ts'
import type { Table } from '../../kernel/table.ts'
import { limits } from '../../limits.ts'
import type { Add } from '../delta/actions.ts'
import { type ChosenPath, choosePaths } from './choose-paths.ts'

/**
 * Tag of an added file: a JSON object of the paths that have a column of their own in the file, as
 * JSON column and JSON Pointer, and the names of those columns. A column holds the JSON text of the
 * value, as `json_extract` prints it, and null where the path is missing.
 */
export const pathsTag = 'tracelake.paths'

/** Columns of a file that hold the JSON text at a path, by `columnPath`. */
export type PathColumns = ReadonlyMap<string, string>

const none: PathColumns = new Map()

/** Every file has all of these columns, so that files can be read together by any program. */
const names: readonly string[] = Array.from(
  { length: limits.pathColumnsMax },
  (_, index) => `path_${String(index + 1).padStart(2, '0')}`,
)

/** Marks a value that does not fit; it is not JSON. The file then counts as having no such path. */
const misfit = ''

/** The path columns of a file that is about to be written. */
export interface PathPlan {
  readonly columns: ReadonlyMap<string, ChosenPath>
}

/** Chooses the paths of `source` (a FROM clause over file columns, named `t`). */
export async function planPathColumns(
  writer: Writer,
  table: Table,
  source: string,
  rows: number,
): Promise<PathPlan | undefined> {
  if (table.pathed === undefined || table.pathed.length === 0) return undefined
  const chosen = rows < limits.pathRowsMin ? [] : await choosePaths(writer, table.pathed, source)
  return { columns: assigned(chosen) }
}

/** A plan for the same columns without any path. */
export const emptyPlan = (plan: PathPlan | undefined): PathPlan | undefined => plan && { columns: new Map() }

/**
 * Paths prefer a column by their name, so that most files keep the same path in the same column,
 * and a query can read them together.
 */
function assigned(chosen: readonly ChosenPath[]): Map<string, ChosenPath> {
  const columns = new Map<string, ChosenPath>()
  for (const path of chosen.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    let at = hash(keyOf(path)) % names.length
    while (columns.has(names[at]!)) at = (at + 1) % names.length
    columns.set(names[at]!, path)
  }
  return columns
}

const keyOf = ({ column, pointer }: ChosenPath): string => columnPath(column, pointer)

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
  const byColumn = Map.groupBy(plan.columns, ([, { column }]) => column)
  const extracted = [...byColumn].map(([column, paths]) => {
    const pointers = paths.map(([, { pointer }]) => textLiteral(pointer))
    return `json_extract(t."${column}", [${pointers.join(', ')}]) AS "_${column}"`
  })
  const items = names.map((name) => {
    const path = plan.columns.get(name)
    if (path === undefined) return `NULL::VARCHAR AS "${name}"`
    const at = byColumn.get(path.column)!.findIndex(([other]) => other === name) + 1
    return `${fittingSql(`CAST(t."_${path.column}"[${at}] AS VARCHAR)`)} AS "${name}"`
  })
  const inner = extracted.length === 0 ? source : `(SELECT ${[columns, ...extracted].join(', ')} FROM ${source}) t`
  return { columns: `${columns}, ${items.join(', ')}`, source: inner }
}

function fittingSql(value: string): string {
  const isMisfit = `strlen(${value}) > ${limits.pathValueBytesMax} OR left(${value}, 1) IN ('{', '[')`
  return `CASE WHEN ${isMisfit} THEN '${misfit}' ELSE ${value} END`
}

/** The tag of a file that was written with the plan; undefined if no path is whole. */
export async function pathsTagOf(
  writer: Writer,
  file: string,
  plan: PathPlan | undefined,
): Promise<string | undefined> {
  if (plan === undefined || plan.columns.size === 0) return undefined
  const planned = [...plan.columns]
  const items = planned.map(([name]) => `coalesce(bool_or("${name}" = '${misfit}'), false)`)
  const [misfits] = await writer.rows(
    `SELECT ${items.map((item) => `(${item})::INTEGER`).join(', ')} FROM read_parquet(${textLiteral(file)})`,
  )
  const whole = planned.filter((_, index) => misfits![index] === 0)
  if (whole.length === 0) return undefined
  return JSON.stringify(Object.fromEntries(whole.map(([name, path]) => [keyOf(path), name])))
}

/** The path columns that an `add` action states; none if it states nothing readable. */
export function pathColumnsOf({ tags }: Pick<Add['add'], 'tags'>): PathColumns {
  const text = tags?.[pathsTag]
  if (text === undefined) return none
  try {
    const stated = Object.entries(JSON.parse(text) as Record<string, unknown>)
    return new Map(stated.filter((entry): entry is [string, string] => names.includes(entry[1] as string)))
  } catch {
    return none
  }
}
