import { plural } from './parts.ts'

/** Words of facets. */
export const facetText = {
  title: 'Facets',
  status: 'Status',
  op: 'Operation',
  latency: 'Latency',
  model: 'Model',
  tokens: 'Tokens',
  cost: 'Cost',
  empty: '(empty)',
  slow: 'Facets took longer than 5 s and stopped. Rows are complete.',
  more: (count: number): string => `${count} more`,
  fewer: 'Fewer',
  sample: (calls: string): string => `From the newest ${plural(calls, 'call')}`,
  partial: (calls: string): string => `Stopped early: from the newest ${plural(calls, 'call')}`,
  from: (label: string): string => `Least ${label.toLowerCase()}`,
  to: (label: string): string => `Greatest ${label.toLowerCase()}`,
  fromValue: (value: string): string => `from ${value}`,
  toValue: (value: string): string => `to ${value}`,
} as const
