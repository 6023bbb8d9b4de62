/**
 * The p-value of McNemar's exact test, on both sides: of the rows whose outcome changed, `gained`
 * now pass and `lost` now fail. Without a change there is nothing to test, and it is 1.
 */
export function mcnemarPValue(gained: number, lost: number): number {
  const changed = gained + lost
  const fewer = Math.min(gained, lost)
  // Binomial coefficients over 2^changed, in logarithms: they overflow from 1,030 on.
  let term = -changed * Math.LN2
  let tail = 0
  for (let count = 0; count <= fewer; count++) {
    tail += Math.exp(term)
    term += Math.log(changed - count) - Math.log(count + 1)
  }
  return Math.min(1, 2 * tail)
}

/**
 * Holm's correction (Holm 1979) of the p-values of all tests that are made together, in their
 * order.
 */
export function holmPValues(pValues: readonly number[]): readonly number[] {
  const corrected = new Array<number>(pValues.length).fill(1)
  let least = 0
  for (const [rank, { pValue, index }] of pValues
    .map((pValue, index) => ({ pValue, index }))
    .sort((a, b) => a.pValue - b.pValue)
    .entries()) {
    least = Math.min(1, Math.max(least, pValue * (pValues.length - rank)))
    corrected[index] = least
  }
  return corrected
}
