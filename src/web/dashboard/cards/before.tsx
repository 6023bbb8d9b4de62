import type { Span } from '../../chart/span.ts'
import { formatShare } from '../../format/number.ts'
import { boardText } from '../../text/board.ts'
import type { CallsSource } from './board.ts'
import { formatsOf } from './card-data.ts'
import css from './card-view.module.css'
import { useCallsCard } from './use-card.ts'

interface BeforeProps {
  readonly projectId: string
  readonly source: CallsSource
  readonly span: Span
  readonly value: number
}

const words = boardText.before

/** How a value compares with that of the time before, of the same length. */
export function Before({ projectId, source, span: { from, to }, value }: BeforeProps) {
  const { content } = useCallsCard(projectId, source, { from: from - (to - from), to: from })
  if (content === undefined) return <span class={css.note} aria-hidden />
  const was = content.total === undefined ? content.series[0]?.total : content.total
  if (content.count === 0 || was == null) return <span class={css.note}>{words.none}</span>
  return (
    <span class={css.note} data-tip={words.was(formatsOf(source.metric).format(was))}>
      {changeWords(value, was)}
    </span>
  )
}

function changeWords(value: number, was: number): string {
  if (value === was) return words.same
  if (was === 0) return words.none
  const share = formatShare(Math.abs(value - was) / was)
  return value > was ? words.higher(share) : words.lower(share)
}
