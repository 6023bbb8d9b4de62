import { localText, timeOfLocal } from '../format/local-time.ts'
import { formatClock, formatDay, formatMinute, timeZone } from '../format/time.ts'
import { bucketLength } from './bucket-length.ts'
import { textWidth } from './fitted-text.ts'
import css from './time-axis.module.css'

/** Round times in a span, at most `countMax`, as clocks in the zone show them. */
export function roundTimes(from: number, to: number, countMax: number, zone: string): number[] {
  const step = bucketLength(to - from, countMax)
  const midnight = timeOfLocal(localText(from, zone).slice(0, 10), zone) ?? from
  const first = midnight + Math.ceil((from - midnight) / step) * step
  const times: number[] = []
  for (let time = first; time <= to && times.length < countMax; time += step) times.push(time)
  return times
}

const pixelsPerLabel = 76
/** A label with its seconds, and the day before the first. */
const pixelsPerClock = 116
const clockMs = 5 * 60_000

/** Round times below a chart, with the day at the first one and at midnight. */
export function TimeAxis({ from, to, width }: { from: number; to: number; width: number }) {
  if (width === 0) return <div class={css.axis} />
  const needsSeconds = to - from < clockMs
  const count = Math.floor(width / (needsSeconds ? pixelsPerClock : pixelsPerLabel))
  const times = roundTimes(from, to, Math.max(2, Math.min(7, count)), timeZone.value)
  const step = (times[1] ?? to) - (times[0] ?? from)
  const clock = step < 60_000 ? formatClock : formatMinute
  const textOf = (time: number, index: number): string => {
    if (step >= 86_400_000) return formatDay(time)
    return index === 0 || formatMinute(time) === '00:00' ? `${formatDay(time)} ${clock(time)}` : clock(time)
  }
  const labels = times.map((time, index) => ({
    time,
    text: textOf(time, index),
    x: Math.round(((time - from) / (to - from)) * width),
  }))
  return (
    <div class={css.axis} data-part="time-axis" aria-hidden>
      {labels
        .filter(({ text, x }) => x + textWidth(text) <= width)
        .map(({ time, text, x }) => (
          <span key={time} class={css.label} style={{ left: `${x}px` }}>
            {text}
          </span>
        ))}
    </div>
  )
}
