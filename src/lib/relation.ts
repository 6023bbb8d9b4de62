/**
 * Where the rows of a table are at one moment, passed from the store to the query compiler as data.
 * A table is the union of its branches; a row of a branch counts only if none of the branch's masks
 * contains its key and its `presenceColumn` is not null.
 */
export interface Relation {
  readonly branches: readonly Branch[]
  /** Key columns, by which masks hide rows. */
  readonly key: readonly [string, string]
  readonly presenceColumn: string
  /** Whether it is known to have no rows, so that no statement need read it. */
  readonly isEmpty?: boolean
}

/** Rows of a file, as inclusive ranges of their numbers in ascending order. */
export type RowRanges = readonly (readonly [first: number, last: number])[]

/** Inclusive bounds in microseconds. */
export type TimeBounds = readonly [from: number, to: number]

/** About how many bytes of a file some rows take. */
export interface FileSize {
  /** The rows that may match. */
  readonly matching: number
  /** All rows of the project. */
  readonly project: number
}

export interface Branch {
  readonly source:
    | {
        readonly kind: 'table'
        readonly name: string
        /**
         * A time in the second sort column, after which are some thousands of the wanted rows of
         * many more; undefined if that is not known.
         */
        readonly recentSince?: number | undefined
        /** Only the rows with one of these in their column `file`. */
        readonly fileNumbers?: readonly number[] | undefined
      }
    | {
        readonly kind: 'files'
        /** Oldest first. */
        readonly paths: readonly string[]
        /** For each path, the first and the last time of its rows in the second sort column. */
        readonly times?: readonly TimeBounds[]
        readonly sizes?: readonly FileSize[]
        /** Select list for the columns that these files lack; empty if none. */
        readonly missing: string
        /**
         * Columns that another engine wrote with another type, as items of a REPLACE clause; empty
         * if none.
         */
        readonly converted?: string
        /** The only rows that may match, in each file. */
        readonly rowRanges?: RowRanges
        /** Comma-separated numbers of rows to skip in the only file. */
        readonly deletedRows?: string
        /**
         * The project of all rows, if the statistics say there is only one. Rows then need no
         * project filter.
         */
        readonly onlyProject?: string | undefined
        /**
         * Columns of these files that hold the JSON text at a path, by `columnPath`, and those that
         * hold all shared members, by `sharedMembers`.
         */
        readonly pathColumns?: ReadonlyMap<string, string>
        /** No row has null in the presence column. */
        readonly areAllVisible?: boolean
        /** For counting without opening files. */
        readonly counted?: CountedFiles
      }
  /** Tables of hidden keys. */
  readonly masks: readonly string[]
}

/**
 * Files whose statistics say that every row belongs to the wanted project and is visible, and of
 * which it is known how many rows the masks hide.
 */
interface CountedFiles {
  readonly projectId: string
  /** The rows of those files that no mask hides. */
  readonly rows: number
  /** Paths of the other files of the branch, which have to be read. */
  readonly otherPaths: readonly string[]
}

/** `from` ≤ time < `until`, in microseconds. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** Where the rows of a table are at one moment, some of them added up by steps of time. */
export interface RolledUpRelation {
  /** Rows that are not added up; undefined if there are none, as for the next two. */
  readonly rest: Relation | undefined
  /** Rows that are, for the time before and after whole steps. */
  readonly before: Relation | undefined
  readonly after: Relation | undefined
  /**
   * The rows added up, without the lists of values, and with them. If only sums are wanted, further
   * rows are negative, for those that are hidden, so that a group may have no rows left.
   */
  readonly sums: Relation
  readonly lists: Relation
}
