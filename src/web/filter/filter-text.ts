import { FilterError, type FilterNode } from './expression.ts'
import { formatFilter } from './format-filter.ts'
import { fromQuery } from './from-query.ts'
import { parseFilter } from './parse-filter.ts'
import { type Query, toQuery } from './to-query.ts'

/** A filter text and what it means. */
export type ReadFilter =
  | { readonly node: FilterNode | undefined; readonly query: Query | undefined; readonly error?: never }
  | { readonly error: FilterError; readonly node?: never; readonly query?: never }

/** Reads the text of the filter bar: the API's query, or why there is none. */
export function readFilter(text: string): ReadFilter {
  try {
    const node = parseFilter(text)
    return { node, query: toQuery(node) }
  } catch (error) {
    if (error instanceof FilterError) return { error }
    throw error
  }
}

/** The text of a query of the API; undefined if the filter bar has no words for it. */
export function textOfQuery(query: unknown): string | undefined {
  const node = fromQuery(query)
  return node && formatFilter(node)
}
