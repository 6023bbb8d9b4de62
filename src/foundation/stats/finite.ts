/** JSON cannot represent values beyond a double, which the sum of very large numbers may be. */
export const finiteOrNull = (figure: number | null): number | null =>
  figure === null || Number.isFinite(figure) ? figure : null
