import { computed } from '@preact/signals'
import { preferences } from '../state/preferences.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * Name of the time zone in use, such as `Europe/Berlin` or `UTC`; for requests, and to be shown.
 */
export const timeZone = computed(() => {
  const { timeZone: chosen } = preferences.value
  return chosen === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : chosen
})

const formats = computed(() => {
  const base = { timeZone: timeZone.value, hourCycle: 'h23' } as const
  const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...base, ...options })
  return {
    clock: make({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    minute: make({ hour: '2-digit', minute: '2-digit' }),
    day: make({ day: 'numeric', month: 'short' }),
    date: make({ day: 'numeric', month: 'short', year: 'numeric' }),
    dayKey: make({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    zone: make({ timeZoneName: 'short' }),
  }
})

/** A time as the API sends it, or in milliseconds. */
export type Time = string | number

const millisOf = (time: Time): number => (typeof time === 'number' ? time : Date.parse(time))

/** Orders times of the API, the earlier first. With the `Z`, whole seconds would come late. */
export const compareTimes = (a: string, b: string): number => (a === b ? 0 : a.slice(0, -1) < b.slice(0, -1) ? -1 : 1)

/** `11:11:20` */
export const formatClock = (time: Time): string => formats.value.clock.format(millisOf(time))

/** `11:11` */
export const formatMinute = (time: Time): string => formats.value.minute.format(millisOf(time))

/** `22 Nov` */
export const formatDay = (time: Time): string => formats.value.day.format(millisOf(time))

/** `22 Nov 2026` */
export const formatDate = (time: Time): string => formats.value.date.format(millisOf(time))

/** `22 Nov, 08:30` */
export const formatDayMinute = (time: Time): string => `${formatDay(time)}, ${formatMinute(time)}`

/** For columns of times: `11:11:20` today, `22 Nov, 11:11` before, `22 Nov 2025` in other years. */
export function formatWhen(time: Time, now: number = Date.now()): string {
  const { dayKey } = formats.value
  if (dayKey.format(millisOf(time)) === dayKey.format(now)) return formatClock(time)
  return formatDate(time).slice(-4) === formatDate(now).slice(-4) ? formatDayMinute(time) : formatDate(time)
}

/** `22 Nov 2026, 10:57:20 UTC` */
export const formatMoment = (time: Time): string => `${formatDate(time)}, ${formatClock(time)} ${zoneName(time)}`

/** For tooltips: to the millisecond in the zone in use and in UTC, and as epoch milliseconds. */
export function formatFullTime(time: Time): string {
  const millis = millisOf(time)
  const fraction = `.${String(((millis % 1_000) + 1_000) % 1_000).padStart(3, '0')}`
  const zone = zoneName(millis)
  const shown = `${formatDate(millis)}, ${formatClock(millis)}${fraction} ${zone}`
  const utc = zone === 'UTC' ? '' : `\n${new Date(millis).toISOString().replace('T', ' ').replace('Z', ' UTC')}`
  return `${shown}${utc} · ${millis}`
}

/** Short name of the zone in use at that time: `UTC`, `CET`, `GMT+5:30`. */
export function zoneName(time: Time = Date.now()): string {
  const parts = formats.value.zone.formatToParts(millisOf(time))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone.value
}

/** `now`, `12 s ago`, `3 min ago`, `5 h ago`, `2 d ago`, then the date. */
export function formatAgo(time: Time, now: number = Date.now()): string {
  const ms = now - millisOf(time)
  if (ms < 5_000) return 'now'
  if (ms < minuteMs) return `${Math.floor(ms / 1_000)} s ago`
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ago`
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ago`
  return ms < 30 * dayMs ? `${Math.floor(ms / dayMs)} d ago` : formatDate(time)
}
