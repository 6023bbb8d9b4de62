/**
 * The first of `count` positions in order that `isBelow` does not hold for; `count` if it holds for
 * all.
 */
export function lowerBound(count: number, isBelow: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(middle)) low = middle + 1
    else high = middle
  }
  return low
}
