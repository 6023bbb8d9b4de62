import { ChevronsUpDown } from 'lucide'
import { useState } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { formatCount } from '../format/number.ts'
import { versionText } from '../text/version.ts'
import css from './side-diff.module.css'
import type { SideLine, SidePiece, SideRow } from './side-rows.ts'

/** Equal lines shown around a change. */
const contextLines = 2
/** Equal lines that one click opens at either end. */
const openedLines = 20
/** Lines that are drawn at most. */
const rowsMax = 3_000

/** Runs of rows, with those that are left out. */
type Run = { readonly from: number; readonly to: number; readonly isHidden: boolean }

function runsOf(rows: readonly SideRow[], opened: ReadonlySet<number>, isFull: boolean): readonly Run[] {
  if (isFull) return [{ from: 0, to: rows.length, isHidden: false }]
  const shown = new Uint8Array(rows.length)
  for (const [at, { kind }] of rows.entries()) {
    if (kind === 'changed' || opened.has(at)) shown.fill(1, Math.max(0, at - contextLines), at + contextLines + 1)
  }
  const runs: Run[] = []
  for (let from = 0; from < rows.length; ) {
    let to = from + 1
    while (to < rows.length && shown[to] === shown[from]) to++
    // A single line takes no more space than the words about it.
    runs.push({ from, to, isHidden: shown[from] === 0 && to - from > 1 })
    from = to
  }
  return runs
}

/** Splits a text into its variables and what is between them. */
export type Prose = (text: string) => readonly { readonly kind: string; readonly text: string }[]

interface SideDiffProps {
  readonly rows: readonly SideRow[]
  readonly layout: 'beside' | 'inline'
  /** Splits prose into variables and text; without it, the text is code. */
  readonly prose?: Prose | undefined
  /** Whether equal lines are all shown. */
  readonly isFull?: boolean
  readonly label: string
}

/** Two texts beside each other, or one below the other; equal lines stay level. */
export function SideDiff({ rows, layout, prose, isFull = false, label }: SideDiffProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const open = ({ from, to }: Run) => {
    const next = new Set(opened)
    for (let at = from; at < to; at++) if (at - from < openedLines || to - at <= openedLines) next.add(at)
    setOpened(next)
  }
  return (
    <div
      class={classNames(css.diff, css[layout], prose === undefined && css.code)}
      role="table"
      aria-label={label}
      tabIndex={0}
    >
      {runsOf(rows.slice(0, rowsMax), opened, isFull).map((run) =>
        run.isHidden ? (
          <button key={`gap ${run.from}`} type="button" class={css.gap} onClick={() => open(run)}>
            <Icon of={ChevronsUpDown} size={14} />
            {versionText.equalLines(formatCount(run.to - run.from))}
          </button>
        ) : (
          rows
            .slice(run.from, run.to)
            .map((row, index) => <Row key={run.from + index} row={row} layout={layout} prose={prose} />)
        ),
      )}
    </div>
  )
}

function Row({ row, layout, prose }: { row: SideRow; layout: 'beside' | 'inline'; prose: Prose | undefined }) {
  const { kind, left, right } = row
  if (kind === 'equal') {
    const half = (side: SideLine | undefined) => <Half line={side} sign="" prose={prose} />
    return (
      <div class={css.row} role="row">
        {layout === 'beside' && half(left)}
        {half(right)}
      </div>
    )
  }
  if (layout === 'beside') {
    return (
      <div class={css.row} role="row" data-change>
        <Half line={left} sign="-" prose={prose} />
        <Half line={right} sign="+" prose={prose} />
      </div>
    )
  }
  return (
    <div data-change role="rowgroup">
      {left && (
        <div class={css.row} role="row">
          <Half line={left} sign="-" prose={prose} />
        </div>
      )}
      {right && (
        <div class={css.row} role="row">
          <Half line={right} sign="+" prose={prose} />
        </div>
      )}
    </div>
  )
}

interface HalfProps {
  readonly line: SideLine | undefined
  readonly sign: '' | '+' | '-'
  readonly prose: Prose | undefined
}

function Half({ line, sign, prose }: HalfProps) {
  if (line === undefined) return <div class={css.none} role="cell" />
  return (
    <div class={classNames(css.half, sign === '+' && css.added, sign === '-' && css.removed)} role="cell">
      <span class={css.number}>{line.number}</span>
      <span class={css.sign}>{sign}</span>
      <span class={css.text} dir="auto">
        {line.pieces.map((piece, index) => (
          <Piece key={index} piece={piece} prose={prose} />
        ))}
      </span>
    </div>
  )
}

function Piece({ piece: { text, isMarked }, prose }: { piece: SidePiece; prose: Prose | undefined }) {
  const parts = prose?.(text) ?? [{ kind: 'text', text }]
  const shown = parts.map((part, index) =>
    part.kind === 'variable' ? (
      <span key={index} class={css.variable}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
  return isMarked ? <mark class={css.mark}>{shown}</mark> : shown
}
