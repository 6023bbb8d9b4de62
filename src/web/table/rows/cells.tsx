import { NotebookText } from 'lucide'
import { Icon } from '../../components/display/icon.tsx'
import { KindIcon } from '../../components/display/kind-icon.tsx'
import { kindOf } from '../../components/display/kinds.ts'
import { ScoreMark } from '../../components/display/score-mark.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusName } from '../../components/display/statuses.ts'
import { formatDuration } from '../../format/duration.ts'
import { shortId } from '../../format/ids.ts'
import { formatCost, formatExact, formatShort } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import type { ScoreType } from '../../format/score-type.ts'
import { formatDay, formatMinute, formatWhen, type Time } from '../../format/time.ts'
import { usageText } from '../../text/parts.ts'
import { tableText } from '../../text/table.ts'
import type { CallRow } from '../call-row.ts'
import type { KnownColumn } from '../columns/known-columns.ts'
import { Result } from '../result.tsx'
import { summarised } from '../row-feedback.ts'
import css from './cells.module.css'
import { opKind } from './op-kind.ts'
import { preview } from './preview.tsx'
import type { RowUsage } from './row-usage.ts'

/** Time of a row: the clock today, day and minute before, the year where it is another one. */
export function formatRowTime(time: Time): string {
  const short = formatWhen(time)
  const year = /^\d+ \w+ (\d{4})$/.exec(short)?.[1]
  return year === undefined ? short : `${formatDay(time)} ’${year.slice(2)} ${formatMinute(time)}`
}

/** Values that the cells of a row show in addition to the row. */
export interface CellFacts {
  /** Undefined while it is read, null if there is none. */
  readonly usage: RowUsage | null | undefined
  /** Values of columns that are paths in calls. */
  readonly values: Readonly<Record<string, string>> | undefined
  /** Types of scores by name, the most frequent name first. */
  readonly scores: ReadonlyMap<string, ScoreType>
  /** Latencies that the bars are measured by. */
  readonly scale: LatencyScale
}

/** The longest bar, and where slow begins. */
interface LatencyScale {
  readonly longestMs: number
  readonly slowMs: number
}

/** The content of a cell. */
export function cellContent(column: KnownColumn, row: CallRow, facts: CellFacts) {
  switch (column.kind) {
    case 'status':
      return (
        <span class={css.status} data-tip={statusName(row.status)}>
          <StatusIcon status={row.status} inList />
        </span>
      )
    case 'op':
      return op(row)
    case 'input':
      return preview(row.input)
    case 'output':
      return <Result row={row} />
    case 'latency':
      return latency(row, facts.scale)
    case 'tokens':
      return facts.usage ? tokens(facts.usage) : pending(facts.usage === undefined)
    case 'cost':
      return facts.usage ? costFigure(facts.usage) : pending(facts.usage === undefined)
    case 'model':
      if (!facts.usage) return pending(facts.usage === undefined)
      return <span class="cut">{facts.usage.models.join(', ')}</span>
    case 'feedback':
      return feedback(row, facts.scores)
    case 'thread':
      return (
        <span class="cut" data-tip={row.threadId}>
          {row.threadId === null ? '' : shortId(row.threadId, threadChars)}
        </span>
      )
    case 'user':
      return (
        <span class="cut" dir="auto">
          {row.userId}
        </span>
      )
    case 'name':
      return (
        <span class="cut" dir="auto">
          {row.name}
        </span>
      )
    case 'time':
      return <span data-tip-time={row.startedAt}>{formatRowTime(row.startedAt)}</span>
    case 'value':
      return (
        <span class="cut" dir="auto">
          {facts.values?.[column.id]}
        </span>
      )
  }
}

/** Characters of a thread id that fit its column. */
const threadChars = 15

const op = (row: CallRow) => (
  <>
    <KindIcon kind={kindOf(row.kind ?? opKind(row.name))} hidden />
    <span class="cut" dir="auto">
      {wholeOpName(row.name)}
    </span>
  </>
)

const pending = (isPending: boolean) => (isPending ? <span class={css.pending} /> : null)

/** `2 min 05 s` is too wide for a column: `2m 05 s`. */
const shortUnit = (_: string, unit: string): string => `${unit[0]} `

/** The figure first, then a bar as long as it is slow. */
function latency(row: CallRow, scale: LatencyScale) {
  if (row.latencyMs === null)
    return <span class={`${css.figure} ${css.muted}`}>{row.status === 'running' ? tableText.running : ''}</span>
  const share = scale.longestMs === 0 ? 0 : Math.min(1, row.latencyMs / scale.longestMs)
  const isSlow = row.latencyMs > scale.slowMs
  return (
    <>
      <span class={css.figure} data-tip={`${formatExact(row.latencyMs)} ms${isSlow ? `, ${tableText.slow}` : ''}`}>
        {formatDuration(row.latencyMs).replace(/ (min|h|d) /, shortUnit)}
      </span>
      <span class={isSlow ? css.slowBar : css.bar} style={{ width: `${Math.max(2, Math.round(share * 54))}px` }} />
    </>
  )
}

const tokens = (usage: RowUsage) =>
  figureOf(
    usage,
    formatShort(usage.tokensIn + usage.tokensOut),
    tableText.tokensTip(formatExact(usage.tokensIn), formatExact(usage.tokensCached), formatExact(usage.tokensOut)),
  )

/** The cost of a row; nothing if it is not known. */
export const costFigure = (usage: RowUsage) =>
  usage.cost === undefined ? null : figureOf(usage, formatCost(usage.cost), `$${formatExact(usage.cost)}`)

/** A figure of the usage of a row, which says if totals count it in other calls. */
const figureOf = ({ isRepeated }: RowUsage, text: string, tip: string) =>
  isRepeated ? (
    <span class={css.repeated} data-tip={`${tip}. ${usageText.repeatedWhy}`}>
      {text}
      <span class="sr-only">, {usageText.repeated}</span>
    </span>
  ) : (
    <span data-tip={tip}>{text}</span>
  )

function feedback(row: CallRow, types: CellFacts['scores']) {
  const { scores, notes, reactions } = summarised(row.feedback)
  // A column shows the same score in all rows that have it.
  const name = [...types.keys()].find((each) => scores.some((score) => score.name === each))
  const score = scores.find((each) => each.name === name)
  return (
    <>
      {score && (
        <span class={css.score} data-tip={scores.map((each) => `${each.name}: ${String(each.value)}`).join(', ')}>
          <ScoreMark value={score.value} type={types.get(score.name) ?? 'text'} />
        </span>
      )}
      {notes > 0 && (
        <span class={css.score} data-tip={tableText.notes(notes)}>
          <Icon of={NotebookText} size={14} label={tableText.notes(notes)} />
          {notes}
        </span>
      )}
      {reactions.length > 0 && <span class="cut">{reactions.join('')}</span>}
    </>
  )
}
