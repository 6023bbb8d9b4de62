import { Clock, Globe } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { isKeyOf } from '../../lib/present.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { Popover } from '../components/overlays/popover.tsx'
import { localText, timeOfLocal } from '../format/local-time.ts'
import { formatDayMinute, timeZone, zoneName } from '../format/time.ts'
import { timeText, timeUnits } from '../text/time.ts'
import { type Span, type TimeRange, writeTimeRange } from './time-range.ts'
import css from './time-range-picker.module.css'

const presets = ['-15m', '-1h', '-24h', '-7d', '-30d', 'all'] as const

/** The words of a range: `Last 24 hours`, `21 Nov, 14:12 – 22 Nov, 14:12`. */
export function rangeWords(range: TimeRange): string {
  const text = writeTimeRange(range)
  const preset = presets.find((known) => known === text)
  if (preset) return timeText.presets[preset]
  const [, count, unit] = /^-([\d.]+)(d|h|m|s|ms)$/.exec(text) ?? []
  if (count && unit && isKeyOf(timeUnits, unit)) return timeText.last(Number(count), unit)
  return range.kind !== 'between' ? text : `${formatDayMinute(range.from)} – ${formatDayMinute(range.to)}`
}

/** A button with the time range, and a box with usual ranges and two fields for any other. */
export function TimeRangePicker({ range, span, onChange }: TimeRangePickerProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        icon={Clock}
        buttonRef={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span class={css.words}>{rangeWords(range)}</span>
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="end" label={timeText.label}>
        <Choices
          range={range}
          span={span}
          onChange={(next) => {
            setOpen(false)
            onChange(next)
          }}
        />
      </Popover>
    </>
  )
}

function Choices({ range, span, onChange }: TimeRangePickerProps) {
  const shown = writeTimeRange(range)
  const zone = timeZone.value
  const [from, setFrom] = useState(span ? localText(span.from, zone) : '')
  const [to, setTo] = useState(span ? localText(span.to, zone) : '')
  const [fault, setFault] = useState<string>()
  const apply = (event: Event): void => {
    event.preventDefault()
    const [start, end] = [timeOfLocal(from, zone), timeOfLocal(to, zone)]
    if (start === undefined || end === undefined) setFault(timeText.unreadable)
    else if (start >= end) setFault(timeText.backwards)
    else onChange({ kind: 'between', from: start, to: end })
  }
  return (
    <div class={css.box}>
      <ul class={css.presets}>
        {presets.map((preset) => (
          <li key={preset}>
            <button
              type="button"
              class={classNames(css.preset, preset === shown && css.current)}
              aria-pressed={preset === shown}
              onClick={() => onChange(presetRange(preset))}
            >
              {timeText.presets[preset]}
            </button>
          </li>
        ))}
      </ul>
      <form class={css.fields} onSubmit={apply}>
        <Field
          label={timeText.from}
          value={from}
          placeholder="2026-11-21 14:12"
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
        <Field
          label={timeText.to}
          value={to}
          placeholder="2026-11-22 14:12"
          error={fault}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
        <div class={css.foot}>
          <span class={css.zone}>
            <Icon of={Globe} size={14} />
            {zoneName()}
          </span>
          <Button kind="primary" type="submit">
            {timeText.apply}
          </Button>
        </div>
      </form>
    </div>
  )
}

const hourMs = 3_600_000

function presetRange(preset: (typeof presets)[number]): TimeRange {
  const ms = {
    '-15m': hourMs / 4,
    '-1h': hourMs,
    '-24h': 24 * hourMs,
    '-7d': 168 * hourMs,
    '-30d': 720 * hourMs,
    all: 0,
  }
  return preset === 'all' ? { kind: 'all' } : { kind: 'last', ms: ms[preset] }
}

interface TimeRangePickerProps {
  readonly range: TimeRange
  /** Its ends, as the fields show them. */
  readonly span: Span | undefined
  readonly onChange: (range: TimeRange) => void
}
