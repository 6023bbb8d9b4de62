import { markStart, spanMarks, wholeSpan } from '../../lib/stored-span.ts'

/** SQL of the value that a mark replaces, in the row `c`. */
type HeldSql = (column: (name: string) => string) => string

/** By the letter of the mark, in the order of letters. */
const held: readonly (readonly [mark: string, sql: HeldSql])[] = new Map<string, HeldSql>([
  [
    spanMarks.context,
    (c) => `concat('{"trace_id":"', ${c('trace_id')}, '","span_id":"', ${c('id')}, '","trace_state":""}')`,
  ],
  [spanMarks.parentId, (c) => `concat('"', ${c('parent_id')}, '"')`],
  [spanMarks.start, (c) => nanosText(c('started_at'))],
  [spanMarks.end, (c) => nanosText(c('ended_at'))],
  [spanMarks.inputs, (c) => onlyMember(c('inputs'))],
  [spanMarks.output, (c) => onlyMember(c('output'))],
])
  .entries()
  .toArray()
  .sort(([a], [b]) => (a < b ? -1 : 1))

/** Marks in the order in which spans have them; those of inputs and output come in any order. */
const marksInOrder: readonly string[] = [
  spanMarks.context,
  spanMarks.parentId,
  spanMarks.start,
  spanMarks.end,
  spanMarks.inputs,
  spanMarks.output,
]

/**
 * The whole span of the row `alias` as JSON text: what `spanText` (lib/stored-span.ts) puts
 * together, from the same columns. The stored text is cut where marks begin, once; DuckDB copies
 * it byte by byte for each `replace`, which takes three times as long. See
 * docs/decisions/192-shared-members-of-spans.md.
 */
export function spanTextSql(alias: string): string {
  const column = (name: string) => `${alias}."${name}"`
  const dump = column('otel_dump')
  const numbers = Array.from({ length: marksInOrder.length }, (_, index) => index + 2)
  const texts = [
    `CASE WHEN len(_span) = 1 THEN _span[1][:-2] ELSE _span[1] END`,
    ...numbers.flatMap((number) => [heldSql(number, column), restSql(number)]),
    `','`,
    `substr(${column('otel_group')}, 2)`,
  ]
  // A lambda, so that the pieces are computed once.
  return `CASE WHEN coalesce(${column('otel_group')}, '${wholeSpan}') = '${wholeSpan}' THEN ${dump}
    ELSE list_transform([string_split(${dump}, '${markStart}')], lambda _span: concat(${texts.join(', ')}))[1] END`
}

/** SQL for the text that the mark at the beginning of a piece replaces. */
function heldSql(number: number, column: (name: string) => string): string {
  const possible = new Set(marksInOrder.slice(Math.min(number - 2, marksInOrder.length - 2)))
  const cases = held
    .filter(([mark]) => possible.has(mark))
    // A comparison by order looks at the beginning of the piece only.
    .map(([mark, sql]) => `WHEN _span[${number}] < '${letterAfter(mark)}' THEN ${sql(column)}`)
  return `CASE ${cases.join(' ')} END`
}

/** The text behind the mark. The last piece ends with the brace that closes the stored span. */
const restSql = (number: number): string =>
  `CASE WHEN len(_span) = ${number} THEN _span[${number}][3:-2] ELSE substr(_span[${number}], 3) END`

const letterAfter = (mark: string): string => String.fromCharCode(mark.charCodeAt(1) + 1)

const nanosText = (time: string): string => `strftime(make_timestamp(epoch_us(${time})), '"%Y-%m-%dT%H:%M:%S.%f000Z"')`

/** The value in the text of an object with a single member. */
const onlyMember = (text: string): string => `${text}[strpos(${text}, '":') + 2 : -2]`
