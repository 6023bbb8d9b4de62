import { endOf, type Skeleton } from '../skeleton.ts'

/** Lanes of a minimap: calls with children at the top, leaves, everything deeper. */
const minimapLanes = 3

/** Each pixel holds the kind of the call it shows plus 1, or 0. */
export interface MinimapPixels {
  readonly lanes: readonly Uint16Array[]
  /** 1 where a call failed. */
  readonly errors: Uint8Array
}

/** Paints the calls of a trace of `length` milliseconds `width` pixels wide, later calls on top. */
export function minimapPixels(skeleton: Skeleton, width: number, length: number, now: number): MinimapPixels {
  const lanes = Array.from({ length: minimapLanes }, () => new Uint16Array(width))
  const errors = new Uint8Array(width)
  const scale = length > 0 ? width / length : 0
  for (let row = 0; row < skeleton.size; row++) {
    const depth = skeleton.depth[row]!
    const from = Math.min(width - 1, Math.floor(skeleton.start[row]! * scale))
    const to = Math.min(width, Math.max(from + 1, Math.round(endOf(skeleton, row, now) * scale)))
    lanes[laneOf(skeleton, row)]!.fill(skeleton.kind[row]! + 1, from, to)
    if (skeleton.statuses[skeleton.status[row]!] === 'error' && depth > 0) errors.fill(1, from, to)
  }
  return { lanes, errors }
}

function laneOf({ depth, childCount }: Skeleton, row: number): number {
  if (depth[row]! > 2) return 2
  return childCount[row]! > 0 ? (depth[row]! < 2 ? 0 : 1) : 1
}

/** Stretches of equal pixels that are not 0. */
export function stretches(pixels: Uint16Array | Uint8Array): { from: number; to: number; value: number }[] {
  const found: { from: number; to: number; value: number }[] = []
  for (let from = 0; from < pixels.length; ) {
    let to = from + 1
    while (to < pixels.length && pixels[to] === pixels[from]) to++
    if (pixels[from]! > 0) found.push({ from, to, value: pixels[from]! })
    from = to
  }
  return found
}
