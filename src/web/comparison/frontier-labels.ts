/** A mark of the drawing with the lines that are written beside it. */
export interface LabelledMark {
  readonly x: number
  readonly y: number
  readonly lines: readonly string[]
}

/** Where the first line begins (`start`) or ends (`end`): its baseline. */
export interface LabelPlace {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'end'
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** About the widest digit of the drawing's font, and the height of a line. */
const charWidth = 6
const lineHeight = 12
/** Half of a mark, and the room around it. */
const markReach = 8

/**
 * Puts the lines of each mark beside it, so that they cover no other mark and no other lines: right
 * or left, above, level or below, and farther away where marks are close together.
 */
export function placeLabels(marks: readonly LabelledMark[], width: number, height: number): readonly LabelPlace[] {
  const taken: Box[] = marks.map(({ x, y }) => around(x, y))
  return marks.map((mark) => {
    const places = placesOf(mark)
    const place = places.find((each) => {
      const box = boxOf(mark, each)
      const isInside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height
      return isInside && !taken.some((other) => overlap(box, other))
    })
    // Where nothing is free, lines may cover others, but not leave the drawing.
    const chosen = place ?? places.find((each) => boxOf(mark, each).right <= width && boxOf(mark, each).left >= 0)
    const last = chosen ?? { x: mark.x - markReach, y: mark.y - 6, anchor: 'end' as const }
    taken.push(boxOf(mark, last))
    return last
  })
}

function placesOf({ x, y, lines }: LabelledMark): LabelPlace[] {
  const below = lineHeight + 2
  const above = -6 - (lines.length - 1) * lineHeight
  const offsets = [
    above,
    below,
    4,
    above - lineHeight,
    below + lineHeight,
    above - 2 * lineHeight,
    below + 2 * lineHeight,
  ]
  return offsets.flatMap((offset) => [
    { x: x + markReach + 1, y: y + offset, anchor: 'start' as const },
    { x: x - markReach - 1, y: y + offset, anchor: 'end' as const },
  ])
}

function boxOf({ lines }: LabelledMark, { x, y, anchor }: LabelPlace): Box {
  const width = Math.max(...lines.map((line) => line.length)) * charWidth
  const left = anchor === 'start' ? x : x - width
  const top = y - lineHeight + 3
  return { left, right: left + width, top, bottom: top + lines.length * lineHeight }
}

const around = (x: number, y: number): Box => ({
  left: x - markReach,
  right: x + markReach,
  top: y - markReach,
  bottom: y + markReach,
})

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
