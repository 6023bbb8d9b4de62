import { sharedMembers } from '../../lib/json-pointer.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Add } from '../delta/actions.ts'

/**
 * Tag of an added file: a JSON object of the paths that have a column of their own in the file, as
 * JSON column and JSON Pointer, and the names of those columns. A column holds the JSON text of the
 * value, as `json_extract` prints it, and null where the path is missing.
 */
export const pathsTag = 'tracelake.paths'

/**
 * Tag of an added file: a JSON object from JSON columns that clients see as a member of another
 * column to the `shownColumn` of that member. A column is listed only if no client has sent a
 * member of that name; statements about paths in the column then apply to the member as well.
 */
export const shownTag = 'tracelake.shown'

/**
 * Tag of an added file: a JSON object from JSON columns to the column that holds the members which
 * their rows share. A column is listed only if this is so in every row (`sharedIn` of the table).
 */
export const sharedTag = 'tracelake.shared'

/** Columns of a file that hold the JSON text at a path, by `columnPath`. */
export type PathColumns = ReadonlyMap<string, string>

const none: PathColumns = new Map()

/** Every file has all of these columns, so that files can be read together by any program. */
export const pathColumnNames: readonly string[] = Array.from(
  { length: storageLimits.pathColumnsMax },
  (_, index) => `path_${String(index + 1).padStart(2, '0')}`,
)

/** The path columns that an `add` action states; none if it states nothing readable. */
export function pathColumnsOf({ tags }: Pick<Add['add'], 'tags'>): PathColumns {
  const stated = statedIn(tags?.[pathsTag]).filter(([, column]) => pathColumnNames.includes(column))
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
