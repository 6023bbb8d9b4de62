/** JSON has no word for what is beyond a double, as a sum of very large numbers may be. */
export const finiteOrNull = (figure: number | null): number | null =>
  figure === null || Number.isFinite(figure) ? figure : null
