import { diffArrays, diffLines } from 'diff'

/** Piece of a line; a marked one is what changed. */
export interface SidePiece {
  readonly text: string
  readonly isMarked: boolean
}

/** A line of one side. */
export interface SideLine {
  /** From 1. */
  readonly number: number
  readonly pieces: readonly SidePiece[]
}

/** Two lines side by side; a changed row may lack one of them. */
export interface SideRow {
  readonly kind: 'equal' | 'changed'
  readonly left: SideLine | undefined
  readonly right: SideLine | undefined
}

/** Below this share of common characters, words are not marked. */
const commonShareMin = 0.5
/** Longer lines are compared as wholes. */
const wordCharsMax = 20_000
const timeoutMs = 1_500

/**
 * Lines of two texts beside each other. A line that only one side has is alone in its row; in two
 * lines that correspond, the differing words are marked. Texts that have too little in common to be
 * compared in time count as replaced.
 */
export function sideRows(before: string, after: string): readonly SideRow[] {
  const changes = diffLines(ended(before), ended(after), { timeout: timeoutMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const rows: SideRow[] = []
  let left = 0
  let right = 0
  let removed: readonly string[] = []
  let added: readonly string[] = []
  const flush = () => {
    for (const [was, is] of pairs(removed, added)) {
      const [old, now] = was !== undefined && is !== undefined ? markedPair(was, is) : [plain(was), plain(is)]
      rows.push({
        kind: 'changed',
        left: old && { number: ++left, pieces: old },
        right: now && { number: ++right, pieces: now },
      })
    }
    removed = []
    added = []
  }
  for (const change of changes) {
    const lines = change.value.replace(/\n$/, '').split('\n')
    if (change.removed) removed = lines
    else if (change.added) added = lines
    else {
      flush()
      for (const line of lines) {
        const pieces = [{ text: line, isMarked: false }]
        rows.push({ kind: 'equal', left: { number: ++left, pieces }, right: { number: ++right, pieces } })
      }
    }
  }
  flush()
  return before === '' && after === '' ? [] : rows.filter((row) => !isNoText(row, before, after))
}

/** The empty line that represents an empty text. */
const isNoText = ({ kind, left, right }: SideRow, before: string, after: string): boolean =>
  kind === 'changed' &&
  ((before === '' && right === undefined && left !== undefined) ||
    (after === '' && left === undefined && right !== undefined))

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const plain = (line: string | undefined): readonly SidePiece[] | undefined =>
  line === undefined ? undefined : [{ text: line, isMarked: false }]

/** Lines that answer each other: the most alike ones of a block, in their order. */
function pairs(removed: readonly string[], added: readonly string[]): [string | undefined, string | undefined][] {
  if (removed.length === added.length) return removed.map((line, index) => [line, added[index]])
  const rows: [string | undefined, string | undefined][] = []
  let next = 0
  for (const line of removed) {
    const at = added.findIndex((other, index) => index >= next && likeness(line, other) >= commonShareMin)
    if (at < 0) {
      rows.push([line, undefined])
      continue
    }
    for (; next < at; next++) rows.push([undefined, added[next]])
    rows.push([line, added[at]])
    next = at + 1
  }
  for (; next < added.length; next++) rows.push([undefined, added[next]])
  return rows
}

/** Share of the words of the shorter line that the other has too. */
function likeness(a: string, b: string): number {
  if (a.length + b.length > wordCharsMax) return 0
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const words = new Set(wordsOf(long))
  const own = wordsOf(short).filter((word) => word.trim() !== '')
  return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Words and what is between them; also where a script has no spaces. Variables are one word. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .split(/(\{\{[^{}\n]*\}\})/)
    .flatMap((part) => (part.startsWith('{{') ? [part] : [...segmenter.segment(part)].map(({ segment }) => segment)))
    .filter(Boolean)

function markedPair(was: string, is: string): [readonly SidePiece[], readonly SidePiece[]] {
  const whole: [SidePiece[], SidePiece[]] = [[{ text: was, isMarked: false }], [{ text: is, isMarked: false }]]
  if (was.length + is.length > wordCharsMax) return whole
  const changes = diffArrays([...wordsOf(was)], [...wordsOf(is)], { timeout: 100 })
  if (!changes) return whole
  const sideOf = (side: 'removed' | 'added', other: 'removed' | 'added'): readonly SidePiece[] =>
    joined(
      changes
        .filter((change) => !change[other])
        .map((change) => ({ text: change.value.join(''), isMarked: change[side] })),
    )
  const common = changes.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.join('').length),
    0,
  )
  if (common < commonShareMin * Math.min(was.length, is.length)) return whole
  return [sideOf('removed', 'added'), sideOf('added', 'removed')]
}

/** Marks with nothing but a space between them are one, which does not end in a space. */
function joined(pieces: readonly SidePiece[]): readonly SidePiece[] {
  const out: SidePiece[] = []
  for (const [at, piece] of pieces.entries()) {
    const isBetween = piece.text.trim() === '' && (out.at(-1)?.isMarked ?? false) && (pieces[at + 1]?.isMarked ?? false)
    const isMarked = piece.isMarked || isBetween
    const last = out.at(-1)
    if (last?.isMarked && isMarked) out[out.length - 1] = { text: last.text + piece.text, isMarked }
    else out.push({ text: piece.text, isMarked })
  }
  return out.flatMap(({ text, isMarked }) => {
    const words = text.trimEnd()
    return isMarked && words !== '' && words !== text
      ? [
          { text: words, isMarked },
          { text: text.slice(words.length), isMarked: false },
        ]
      : [{ text, isMarked }]
  })
}

/** How many words came and went. */
export function countWords(rows: readonly SideRow[]): { readonly added: number; readonly removed: number } {
  const count = (line: SideLine | undefined, hasOther: boolean): number => {
    if (line === undefined) return 0
    const marked = line.pieces.filter(({ isMarked }) => isMarked)
    const counted = marked.length > 0 || hasOther ? marked : line.pieces
    return counted.flatMap(({ text }) => [...segmenter.segment(text)]).filter(({ isWordLike }) => isWordLike).length
  }
  let added = 0
  let removed = 0
  for (const { kind, left, right } of rows) {
    if (kind === 'equal') continue
    const hasMarks = [left, right].some((line) => line?.pieces.some(({ isMarked }) => isMarked))
    added += count(right, hasMarks)
    removed += count(left, hasMarks)
  }
  return { added, removed }
}

/** How many lines changed in place, came and went. */
export const countRows = (rows: readonly SideRow[]) => ({
  changed: rows.filter(({ kind, left, right }) => kind === 'changed' && left && right).length,
  added: rows.filter(({ left }) => left === undefined).length,
  removed: rows.filter(({ right }) => right === undefined).length,
})
