import type { Branch, FileSize, Relation } from '../../../lib/relation.ts'

/** The branches of a relation, divided between the two engines. */
export interface SharedBranches {
  /** Paths of the data files that ClickHouse can read as they are. */
  readonly paths: readonly string[]
  /** About how many bytes of these have to be read here, and how many by ClickHouse. */
  readonly bytes: number
  readonly bytesThere: number
  /** Tables of the keys that are hidden in these files. */
  readonly masks: readonly string[]
  /** The branches for DuckDB. */
  readonly rest: Relation
}

/** Assigns data files that need no conversion to ClickHouse, and everything else to DuckDB. */
export function sharedBranches(relation: Relation): SharedBranches {
  const plain = relation.branches.filter(isPlain)
  const masks = plain[0]?.masks ?? []
  const theirs = new Set<Branch>(plain.filter((branch) => branch.masks.join() === masks.join()))
  const sizes = new Map([...theirs].flatMap(sizesOf))
  const [bytes, bytesThere] = [sumOf(sizes, 'matching'), sumOf(sizes, 'project')]
  const branches = relation.branches.filter((branch) => !theirs.has(branch))
  return { paths: [...sizes.keys()], bytes, bytesThere, masks, rest: { ...relation, branches } }
}

/** Row ranges only say where matching rows are; all rows of the files may be read as well. */
const isPlain = ({ source }: Branch): boolean =>
  source.kind === 'files' &&
  source.missing === '' &&
  (source.converted ?? '') === '' &&
  source.deletedRows === undefined

/** The paths of a branch, each with its size. */
const sizesOf = ({ source }: Branch): [string, FileSize][] =>
  source.kind === 'table'
    ? []
    : source.paths.map((path, at) => [path, source.sizes?.[at] ?? { matching: 0, project: 0 }])

const sumOf = (sizes: ReadonlyMap<string, FileSize>, part: keyof FileSize): number =>
  sizes.values().reduce((sum, size) => sum + size[part], 0)
