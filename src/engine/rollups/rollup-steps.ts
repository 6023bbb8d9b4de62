import { storageLimits } from '../../lib/limits/storage.ts'
import type { Rollup } from '../../lib/table.ts'

/** The steps of time by which rollups add up. */
export const rollupSteps = { minute: 60_000_000, hour: 3_600_000_000 } as const

interface Step {
  readonly stepMicros: number
  /** Rows that add up others, for each of these, at most: otherwise the next step is tried. */
  readonly shareMax: number
}

/** The steps to try for rows that are so far apart in time at most (null without times). */
export function stepsFor(micros: number | null): readonly Step[] {
  const { rollupShareMax, rollupMinutesShareMax, rollupMinutesMax } = storageLimits
  const byHour = { stepMicros: rollupSteps.hour, shareMax: rollupShareMax }
  const areClose = micros !== null && micros <= rollupMinutesMax * rollupSteps.minute
  return areClose ? [{ stepMicros: rollupSteps.minute, shareMax: rollupMinutesShareMax }, byHour] : [byHour]
}

/**
 * SQL of an aggregate over the rows of a rollup: the step by which they surely are added up.
 * Minutes that all begin an hour count as hours, which is right as well.
 */
export const stepOfSumsSql = ({ time }: Rollup): string =>
  `(CASE WHEN count(*) FILTER (epoch_us("${time}") % ${rollupSteps.hour} <> 0) = 0 THEN ${rollupSteps.hour}
    ELSE ${rollupSteps.minute} END)::DOUBLE`
