import { typeWord } from './cells.ts'
import type { SqlTable } from './run-statement.ts'
import { keywords, tokensOf } from './tokens.ts'

/** A possible continuation of a statement: the text that it inserts at `from`. */
export interface Completion {
  readonly text: string
  readonly from: number
  readonly type: string
  /** Table of a column. */
  readonly table?: string
}

const functions = (
  'count sum avg min max median quantile_cont quantile_disc mode any_value arg_max arg_min first last list ' +
  'string_agg histogram approx_count_distinct date_trunc date_part date_diff time_bucket strftime now today ' +
  'epoch_ms coalesce nullif if round floor ceil abs length lower upper trim substr replace contains ' +
  'starts_with regexp_matches regexp_extract split_part json_extract json_extract_string json_array_length ' +
  'json_keys row_number rank lag lead unnest list_transform list_filter greatest least'
).split(' ')

const itemsMax = 40

/** Whether a place is inside a text or a comment, where nothing is completed. */
function isQuiet(before: string): boolean {
  const last = tokensOf(before).at(-1)
  if (last?.kind === 'comment') return !last.text.endsWith('*/') && !before.endsWith('\n')
  return last?.kind === 'string' && (last.text.length === 1 || !/['"$]$/.test(last.text))
}

/**
 * Continuations of a statement at a place: columns of the tables that it names come first, then
 * tables, functions and words of the language.
 *
 * @param isAsked also without a beginning to continue
 */
export function completionsAt(
  statement: string,
  caret: number,
  tables: readonly SqlTable[],
  isAsked: boolean,
): readonly Completion[] {
  const before = statement.slice(0, caret)
  if (isQuiet(before)) return []
  const path = /[\w.]*$/.exec(before)?.[0] ?? ''
  const dot = path.lastIndexOf('.')
  const beginning = path.slice(dot + 1).toLowerCase()
  if (!isAsked && (dot < 0 ? beginning.length < 2 : false)) return []
  const from = caret - beginning.length
  const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(statement))
  const isTable = /\b(?:from|join|table)\s+\w*$/i.test(before)
  const columns = (named.length > 0 ? named : tables.slice(0, 1)).flatMap((table) =>
    table.columns.map(({ name, type }) => ({ text: name, type: typeWord(type), table: table.name })),
  )
  const tableItems = tables.map(({ name }) => ({ text: name, type: 'table' }))
  const others = [
    ...functions.map((name) => ({ text: `${name}(`, type: 'function' })),
    ...keywords.map((name) => ({ text: name, type: '' })),
  ]
  const all = dot >= 0 ? columns : isTable ? tableItems : [...columns, ...tableItems, ...others]
  return ranked(all, beginning)
    .slice(0, itemsMax)
    .map((item) => ({ ...item, from }))
}

/** Those that begin with the text, then those that contain it; one that is complete is no help. */
function ranked<Item extends { readonly text: string }>(items: readonly Item[], beginning: string): Item[] {
  const distinct = [...new Map(items.map((item) => [item.text, item])).values()]
  const starts = distinct.filter(({ text }) => text.toLowerCase().startsWith(beginning) && text !== beginning)
  const contains = distinct.filter(
    ({ text }) => beginning.length > 1 && text.toLowerCase().indexOf(beginning) > 0 && !text.endsWith('('),
  )
  return [...starts, ...contains]
}
