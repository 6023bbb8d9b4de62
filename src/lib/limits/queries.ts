import { MiB } from '../bytes.ts'

/** Limits of queries and expanded refs. */
export const queryLimits = {
  /** Nesting depth of operators in a query expression. */
  queryDepthMax: 64,
  /** Operators, fields and literals of a query expression, without the values of `$in` lists. */
  queryNodesMax: 2_000,
  queryInValuesMax: 1_000,
  /** Values in all `$in` lists of one expression together. */
  queryInValuesTotalMax: 10_000,
  queryTextCharsMax: 65_536,
  /** Prices of models over time that filters and sort keys on costs compare with. */
  queryRatesMax: 20_000,
  expandColumnsMax: 64,
  /**
   * Distinct refs in one expanded column that filters and sort keys can look through, and bytes of
   * what they refer to.
   */
  expandedRefsMax: 10_000,
  expandedBytesMax: 64 * MiB,
  /** Calls whose refs are expanded at a time. */
  expandedLinesMax: 128,
  /** Maximum number of changed calls whose ids ClickHouse is told to leave out. */
  clickHouseHiddenRowsMax: 2_000,
  /** Maximum number of calls that ClickHouse finds for one request. */
  clickHouseFoundRowsMax: 200_000,
  /** It is not asked by itself if indexes leave less of what it would have to read. */
  clickHouseShareMin: 0.25,
} as const
