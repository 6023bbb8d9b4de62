import { type SideLine, sideRows } from '../diff/side-rows.ts'

/**
 * The lines of a text in which the words are marked that the other text does not have. A line that
 * has too little in common with the other text is marked as a whole.
 */
export function markedLines(text: string, other: string): readonly SideLine[] {
  return sideRows(other, text).flatMap(({ kind, left, right }) => {
    if (right === undefined) return []
    const isAlike = [left, right].some((line) => line?.pieces.some(({ isMarked }) => isMarked))
    if (kind === 'equal' || isAlike) return [right]
    return [{ ...right, pieces: right.pieces.map((piece) => ({ ...piece, isMarked: piece.text !== '' })) }]
  })
}
