import type { TimeWindow } from '../trace-url.ts'

/** A bar of less would not be seen. */
const widthMin = 2
const labelGap = 6
/** Width of a character of the labels on bars. */
const charWidth = 6.8

/** Where a bar and its label stand on a track, in pixels. */
export interface BarPlace {
  readonly left: number
  readonly width: number
  /** Whether the bar goes on beyond the window. */
  readonly isCutLeft: boolean
  readonly isCutRight: boolean
  /** Left edge of the label; undefined where there is no room. */
  readonly label: number | undefined
}

/** Places a bar from `start` to `end`, in milliseconds; undefined outside of the window. */
export function placeBar(
  { from, to }: TimeWindow,
  trackWidth: number,
  start: number,
  end: number,
  labelChars: number,
): BarPlace | undefined {
  const scale = trackWidth / (to - from || 1)
  const wanted = Math.max(widthMin, (end - start) * scale)
  const exact = (start - from) * scale
  if (exact + wanted < 0 || exact > trackWidth) return undefined
  const left = Math.min(Math.max(0, exact), trackWidth - widthMin)
  const right = Math.min(trackWidth, Math.max(exact + wanted, left + widthMin))
  const labelWidth = labelChars * charWidth
  const after = right + labelGap
  const before = left - labelGap - labelWidth
  const label = after + labelWidth <= trackWidth ? after : before >= 0 ? before : undefined
  return { left, width: right - left, isCutLeft: exact < -0.5, isCutRight: exact + wanted > trackWidth + 0.5, label }
}
