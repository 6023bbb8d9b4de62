import { niceScale } from './nice-scale.ts'

/** Units of an axis, and the top of the axis from which each is used, in milliseconds. */
const units = [
  { name: 'ms', ms: 1, from: 0 },
  { name: 's', ms: 1_000, from: 1_000 },
  { name: 'min', ms: 60_000, from: 2 * 60_000 },
  { name: 'h', ms: 3_600_000, from: 2 * 3_600_000 },
  { name: 'd', ms: 86_400_000, from: 2 * 86_400_000 },
] as const

/** Milliseconds from 0 to at least `highest`, round in their unit: 2 minutes, not 100 seconds. */
export function durationScale(highest: number): readonly number[] {
  for (const [index, { ms }] of units.entries()) {
    const scale = niceScale(highest / ms, ms >= 60_000).map((value) => value * ms)
    const next = units[index + 1]
    if (next === undefined || Math.max(...scale) < next.from) return scale
  }
  return []
}

/**
 * A duration on an axis, where all have one unit: `25 s`, `50 s`, `100 s`.
 * @param top the highest value of the axis
 */
export function durationTick(value: number, top: number): string {
  const { name, ms } = units.findLast(({ from }) => top >= from) ?? units[0]
  return `${Number((value / ms).toPrecision(3))} ${name}`
}
