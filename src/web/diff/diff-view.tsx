import { diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { formatCount } from '../format/number.ts'
import { compareText } from '../text/trace/compare.ts'
import css from './diff-view.module.css'

/** Piece of a line; a marked one is what changed. */
interface DiffPiece {
  readonly text: string
  readonly isMarked: boolean
}

/** A line of a diff, or a stretch of equal lines that is left out. */
type DiffRow =
  | { readonly type: 'equal'; readonly left: number; readonly right: number; readonly pieces: readonly DiffPiece[] }
  | { readonly type: 'removed'; readonly left: number; readonly pieces: readonly DiffPiece[] }
  | { readonly type: 'added'; readonly right: number; readonly pieces: readonly DiffPiece[] }
  | { readonly type: 'gap'; readonly count: number }

/** Equal lines shown around a change. */
const contextLines = 3
/** Below this share of common characters, words are not marked. */
const commonShareMin = 0.5
/** Longer lines are compared as wholes. */
const wordCharsMax = 20_000
const timeoutMs = 1_500

/** Lines of two texts with what was removed and added; undefined if that takes too long. */
export function diffRows(before: string, after: string): DiffRow[] | undefined {
  const changes = diffLines(ended(before), ended(after), { timeout: timeoutMs })
  if (!changes) return undefined
  const rows: DiffRow[] = []
  let left = 1
  let right = 1
  for (const [index, { value, added, removed }] of changes.entries()) {
    const lines = value.replace(/\n$/, '').split('\n')
    if (removed) {
      const next = changes[index + 1]
      const answers = next?.added ? next.value.replace(/\n$/, '').split('\n') : []
      for (const [at, line] of lines.entries()) {
        rows.push({ type: 'removed', left: left++, pieces: piecesOf(line, answers[at], 'removed') })
      }
    } else if (added) {
      const previous = changes[index - 1]
      const asked = previous?.removed ? previous.value.replace(/\n$/, '').split('\n') : []
      for (const [at, line] of lines.entries()) {
        rows.push({ type: 'added', right: right++, pieces: piecesOf(line, asked[at], 'added') })
      }
    } else {
      pushEqual(rows, lines, left, right, index === 0, index === changes.length - 1)
      left += lines.length
      right += lines.length
    }
  }
  return rows
}

const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

function pushEqual(
  rows: DiffRow[],
  lines: readonly string[],
  left: number,
  right: number,
  isFirst: boolean,
  isLast: boolean,
) {
  const head = isFirst ? 0 : contextLines
  const tail = isLast ? 0 : contextLines
  const push = (from: number, to: number) => {
    for (const [index, text] of lines.slice(from, to).entries()) {
      const at = from + index
      rows.push({ type: 'equal', left: left + at, right: right + at, pieces: [{ text, isMarked: false }] })
    }
  }
  if (lines.length <= head + tail + 1) {
    push(0, lines.length)
    return
  }
  push(0, head)
  rows.push({ type: 'gap', count: lines.length - head - tail })
  push(lines.length - tail, lines.length)
}

function piecesOf(line: string, other: string | undefined, side: 'added' | 'removed'): DiffPiece[] {
  const whole = [{ text: line, isMarked: false }]
  if (other === undefined || line.length + other.length > wordCharsMax) return whole
  const words = diffWordsWithSpace(side === 'removed' ? line : other, side === 'removed' ? other : line, {
    timeout: 100,
  })
  if (!words) return whole
  const common = words.reduce((sum, word) => sum + (word.added || word.removed ? 0 : word.value.length), 0)
  if (common < commonShareMin * Math.min(line.length, other.length)) return whole
  return words
    .filter((word) => (side === 'removed' ? !word.added : !word.removed))
    .map((word) => ({ text: word.value, isMarked: word[side] === true }))
}

/** Lines that are drawn at most. */
const rowsMax = 2_000

interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** Letter of the side before, for the words where both are equal. */
  readonly letter: string
}

/** The difference between two texts, line by line. */
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
