/** A FROM item: rows of `from` (a SELECT), once for each item of a list or member of an object. */
type Unnested = (from: string) => string

/**
 * How an engine spells what SQL has no common words for. Everything else in the views is standard
 * SQL that all of them read. Every argument is SQL unless it says otherwise.
 *
 * JSON is handled as text: `json` arguments are JSON texts, and so is what `at`, `items` and
 * `unnestMembers` return. See docs/decisions/279-views-for-other-engines.md.
 */
export interface SqlEngine {
  /** As people write it. */
  readonly title: string
  /** What the engine cannot keep exactly, for the head of the statements. */
  readonly limits: readonly string[]
  /** An SQL literal. @param text any text */
  literal(text: string): string
  /** CREATE SCHEMA. @param schema a checked name */
  createSchema(schema: string): string
  /** A FROM item. @param folder path or URL of a Delta table */
  deltaTable(folder: string): string
  /**
   * The member of a JSON text at a path, as JSON text; null if it is missing or JSON null. @param
   * path member names
   */
  at(json: string, ...path: readonly string[]): string
  /** The same, but a string is the text itself. */
  textAt(json: string, ...path: readonly string[]): string
  /** The objects in a JSON array as a list of JSON texts; an empty list for anything else. */
  items(json: string): string
  /** A row for each item of the list `items`, with the columns `item` and `item_index` (from 0). */
  readonly unnestItems: Unnested
  /** A row for each member of the JSON object `members`: the columns `member`, `member_json`. */
  readonly unnestMembers: Unnested
  /** @param body SQL of each item, given the item */
  map(list: string, body: (item: string) => string): string
  /** The texts of a list, one after the other, without nulls; an empty text if there are none. */
  joined(list: string): string
  length(list: string): string
  /** Whether a list of texts has one. */
  contains(list: string, text: string): string
  /** A DOUBLE; null if the text is no number. */
  number(text: string): string
  /** @param pattern a regular expression as RE2, Java and JavaScript have it in common */
  matches(text: string, pattern: string): string
  /** The first group of a match, else null. @param pattern as for `matches` */
  firstGroup(text: string, pattern: string): string
  /** The text without what matches. @param pattern as for `matches` */
  without(text: string, pattern: string): string
  /** Percent-decoded; the text itself if it is not percent-encoded. */
  urlDecoded(text: string): string
  /** Microseconds since 1970, as BIGINT. */
  micros(time: string): string
  /** Of an aggregated DOUBLE, interpolated between two values. @param share from 0 to 1 */
  quantile(value: string, share: number): string
}
