import { markText, spanMarks, wholeSpan } from '../../kernel/stored-span.ts'

/**
 * The whole span of the row `alias` as JSON text: what `spanText` (kernel/stored-span.ts) puts
 * together, from the same columns.
 */
export function spanTextSql(alias: string): string {
  const column = (name: string) => `${alias}."${name}"`
  const held: readonly (readonly [mark: string, sql: string])[] = [
    [
      spanMarks.context,
      `'{"trace_id":"' || ${column('trace_id')} || '","span_id":"' || ${column('id')} || '","trace_state":""}'`,
    ],
    [spanMarks.parentId, `'"' || ${column('parent_id')} || '"'`],
    [spanMarks.start, nanosText(column('started_at'))],
    [spanMarks.end, nanosText(column('ended_at'))],
    [spanMarks.inputs, onlyMember(column('inputs'))],
    [spanMarks.output, onlyMember(column('output'))],
  ]
  const filled = held.reduce(
    (text, [mark, sql]) => `replace(${text}, '${markText(mark)}', coalesce(${sql}, ''))`,
    `left(${column('otel_dump')}, -1)`,
  )
  return `CASE WHEN coalesce(${column('otel_group')}, '${wholeSpan}') = '${wholeSpan}' THEN ${column('otel_dump')}
    ELSE ${filled} || ',' || substr(${column('otel_group')}, 2) END`
}

const nanosText = (time: string): string => `strftime(make_timestamp(epoch_us(${time})), '"%Y-%m-%dT%H:%M:%S.%f000Z"')`

/** The value in the text of an object with a single member. */
const onlyMember = (text: string): string => `${text}[strpos(${text}, '":') + 2 : -2]`
