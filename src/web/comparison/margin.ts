/** Margin of a score by default: four points of a rate. */
const rateMargin = 0.04

/** The margin of a score. @param same those that the address states, `<score>=<size>` */
export function marginOf(score: string, kind: 'rate' | 'mean', same: readonly string[] = []): number {
  const given = same.find((each) => each.slice(0, each.lastIndexOf('=')) === score)
  const size = given === undefined ? Number.NaN : Number(given.slice(given.lastIndexOf('=') + 1))
  return Number.isFinite(size) && size >= 0 ? size : kind === 'rate' ? rateMargin : 0
}

/** Scores that the page of a comparison shows without a choice: as many as fit. */
export const cardsShown = 3
