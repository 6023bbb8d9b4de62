import type { TimeWindow } from '../trace-url.ts'

const steps = [1, 2, 5]
const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const clockSteps = [1, 2, 5, 10, 15, 30].map((count) => count * minuteMs)
const hourSteps = [1, 2, 3, 6, 12, 24].map((count) => count * hourMs)

/** Round times within a window, at most `countMax` of them. */
export function axisTicks({ from, to }: TimeWindow, countMax: number): { at: number; label: string }[] {
  const least = (to - from) / Math.max(1, countMax)
  const step = stepFrom(least)
  const ticks: { at: number; label: string }[] = []
  for (let count = Math.ceil(from / step); count * step <= to; count++) {
    ticks.push({ at: count * step, label: tickLabel(count * step, step) })
  }
  return ticks
}

function stepFrom(least: number): number {
  if (least > 30 * secondMs) {
    const whole = [...clockSteps, ...hourSteps].find((step) => step >= least)
    if (whole !== undefined) return whole
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.001)))
  return (steps.find((step) => step * power >= least) ?? 10) * power
}

function tickLabel(ms: number, step: number): string {
  if (ms === 0) return '0'
  if (step >= hourMs) return `${trim(ms / hourMs)} h`
  if (step >= minuteMs) return `${trim(ms / minuteMs)} min`
  if (step >= 100 || ms >= 10 * secondMs) return `${trim(ms / secondMs)} s`
  return step >= 1 ? `${trim(ms)} ms` : `${trim(ms * 1_000)} µs`
}

const trim = (value: number): string => String(Number(value.toFixed(3)))
