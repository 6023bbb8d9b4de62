export const timeUnits = { d: 'day', h: 'hour', m: 'minute', s: 'second', ms: 'millisecond' } as const

/** Words of time ranges. */
export const timeText = {
  label: 'Time range',
  presets: {
    '-15m': 'Last 15 minutes',
    '-1h': 'Last hour',
    '-24h': 'Last 24 hours',
    '-7d': 'Last 7 days',
    '-30d': 'Last 30 days',
    all: 'All time',
  },
  last: (count: number, unit: keyof typeof timeUnits): string =>
    `Last ${count} ${timeUnits[unit]}${count === 1 ? '' : 's'}`,
  from: 'From',
  to: 'To',
  apply: 'Apply',
  unreadable: 'Write times such as 2026-11-22 14:12.',
  backwards: 'The range ends before it begins.',
} as const
