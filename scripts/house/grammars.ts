import type { Edges } from '../import-rules/graph.ts'
import { casesOf, type Words } from './code.ts'

/** A source with its words. */
export interface ReadSource {
  readonly source: string
  readonly words: Words
}

/**
 * The grammars of the query language among `sources`, by file; they import each other along
 * `edges`. A file that tells most operators of the language apart in `case` labels is a grammar. So
 * is one that lists them as data, unless a grammar of the first kind takes the list from it.
 */
export function findGrammars(sources: ReadonlyMap<string, ReadSource>, edges: Edges): string[] {
  const listing = [...sources].filter(([, { words }]) => hasMost([...words.texts, ...words.names]))
  const parsers = listing.filter(([file, { source }]) => hasMost(casesOf(file, source))).map(([file]) => file)
  const taken = new Set(parsers.flatMap((file) => edges.get(file) ?? []))
  return [...parsers, ...listing.map(([file]) => file).filter((file) => !parsers.includes(file) && !taken.has(file))]
}

const operators = [
  ...['$and', '$or', '$not', '$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$contains', '$containsToken'],
  ...['$literal', '$getField', '$convert', '$size'],
]

/** Code that only writes queries uses some of the operators, up to two thirds of them. */
function hasMost(words: Iterable<string>): boolean {
  const known = new Set(words)
  return operators.filter((operator) => known.has(operator)).length >= (operators.length * 3) / 4
}
