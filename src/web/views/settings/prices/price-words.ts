import { formatExact } from '../../../format/number.ts'

/** A price per token as dollars per million tokens, without the noise of binary fractions. */
const perMillion = (perToken: number): number => Number((perToken * 1_000_000).toPrecision(12))

/** As it is typed: `2.5`; undefined if there is none. */
export const dollars = (perToken: number | null | undefined): string | undefined =>
  perToken == null ? undefined : String(perMillion(perToken))

/** As it is shown: `$2.5`. */
export const dollarWords = (perToken: number | null): string =>
  perToken === null ? '' : `$${formatExact(perMillion(perToken))}`
