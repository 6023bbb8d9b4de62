import { type SidePiece, sideRows } from './side-rows.ts'

interface Piece {
  readonly text: string
  readonly kind: 'equal' | 'added' | 'removed'
}

/** What changed, in one text; undefined if less than half is in common. */
export function inlineDiff(before: string, after: string): readonly Piece[] | undefined {
  const out: Piece[] = []
  let common = 0
  const push = (text: string, kind: Piece['kind']) => {
    if (text === '') return
    if (kind === 'equal') common += text.length
    out.push({ text, kind })
  }
  const rows = sideRows(before, after)
  for (const [index, { kind, left, right }] of rows.entries()) {
    const end = index === rows.length - 1 ? '' : '\n'
    const [was, is] = [piecesOf(left), piecesOf(right)]
    if (kind === 'changed' && left && right && ![...was, ...is].some(({ isMarked }) => isMarked)) {
      push(textOfPieces(was), 'removed')
      push(textOfPieces(is) + end, 'added')
      continue
    }
    let at = 0
    for (const { text, isMarked } of was) {
      if (isMarked || right === undefined) push(text, 'removed')
      else {
        while (at < is.length && is[at]?.isMarked) push(is[at++]?.text ?? '', 'added')
        if (at < is.length) push(is[at++]?.text ?? '', 'equal')
      }
    }
    for (const { text, isMarked } of is.slice(at)) push(text, isMarked || left === undefined ? 'added' : 'equal')
    push(end, right === undefined ? 'removed' : left === undefined ? 'added' : 'equal')
  }
  return common * 2 < Math.min(before.length, after.length) ? undefined : out
}

const textOfPieces = (pieces: readonly SidePiece[]): string => pieces.map(({ text }) => text).join('')

const piecesOf = (line: { readonly pieces: readonly SidePiece[] } | undefined): readonly SidePiece[] =>
  line?.pieces ?? []
