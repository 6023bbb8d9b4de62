/**
 * A count with its noun: `1 call`, `2,898 calls`, `200+ threads`.
 * @param count as it is shown
 */
export const plural = (count: number | string, one: string, more = `${one}s`): string =>
  `${count} ${String(count) === '1' ? one : more}`
