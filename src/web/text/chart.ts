/** Words of charts. */
export const chartText = {
  ok: 'OK',
  inside: (count: number): string => (count === 1 ? 'error inside' : 'errors inside'),
  running: 'running',
  error: 'Error',
  errors: (count: number): string => (count === 1 ? 'error' : 'errors'),
  brush: 'Time selection: arrows move it, shift and arrows widen it, escape clears it',
  nothingSelected: 'Nothing selected',
  selected: (span: string, count: string): string => `Selected ${span} · ${count}`,
  clears: 'clears',
  overTime: 'Over time',
  chart: (title: string): string => `${title}: arrows move along the times, Enter opens the calls of one`,
  noPoint: 'No time chosen',
  time: 'Time',
} as const
