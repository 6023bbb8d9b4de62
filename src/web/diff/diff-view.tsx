import { useMemo } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { formatCount } from '../format/number.ts'
import { compareText } from '../text/compare.ts'
import { type DiffRow, diffRows } from './diff-rows.ts'
import css from './diff-view.module.css'

/** Lines that are drawn at most. */
const rowsMax = 2_000

interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** Letter of the side before, for the words where both are equal. */
  readonly letter: string
}

/** What a text lost and gained against another one, line by line. */
export function DiffView({ before, after, letter }: DiffViewProps) {
  const rows = useMemo(() => diffRows(before, after), [before, after])
  if (!rows) return <p class={css.note}>{compareText.tooDifferent}</p>
  if (before === after) return <p class={css.note}>{compareText.equalTo(letter)}</p>
  return (
    <div class={css.diff} role="table" aria-label={compareText.different} tabIndex={0}>
      {rows.slice(0, rowsMax).map((row, index) => (
        <Line key={index} row={row} />
      ))}
    </div>
  )
}

function Line({ row }: { row: DiffRow }) {
  if (row.type === 'gap') {
    return (
      <div class={css.gap} role="row">
        <span role="cell">{compareText.gap(formatCount(row.count))}</span>
      </div>
    )
  }
  const sign = { equal: '', removed: '-', added: '+' }[row.type]
  return (
    <div class={classNames(css.line, css[row.type])} role="row">
      <span class={css.number} role="cell">
        {row.type === 'added' ? '' : row.left}
      </span>
      <span class={css.number} role="cell">
        {row.type === 'removed' ? '' : row.right}
      </span>
      <span class={css.sign} role="cell">
        {sign}
      </span>
      <span class={css.text} role="cell">
        {row.pieces.map(({ text, isMarked }, index) =>
          isMarked ? (
            <span key={index} class={css.mark}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </span>
    </div>
  )
}
