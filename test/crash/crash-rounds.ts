import process from 'node:process'

/** Kills of the longest test. `scripts/test random` and `scripts/test faults` run more. */
const kills = Number(process.env['TRACELAKE_CRASH_ROUNDS'] ?? 16)

/** Kills of a test that runs one for every `each` of the longest, and at least `min`. */
export const crashRounds = ({ each, min = 1 }: { each: number; min?: number }): number =>
  Math.max(min, Math.ceil(kills / each))
