import { plural } from './parts.ts'

/** Words of the page about feedback. */
export const feedbackText = {
  title: 'Feedback',
  hint: 'Click a bar to see its calls',
  kinds: {
    scorer: 'Scorer',
    annotation: 'Annotation',
    reaction: 'Reactions',
    note: 'Notes',
    other: 'Other feedback',
  },
  calls: (count: string): string => plural(count, 'call'),
  callsWith: (name: string, count: string): string => `${plural(count, 'call')} with ${name}`,
  bar: (value: string, count: string): string => `${value}: ${plural(count, 'call')}`,
  mean: 'mean',
  share: 'true',
  version: (digest: string): string => `version ${digest}`,
  anyVersion: 'all',
  range: (from: string, to: string): string => `${from} to ${to}`,
  others: (count: string): string => `and ${plural(count, 'other value')}`,
  texts: (count: string): string => `${plural(count, 'different text')}, too many or too long to count`,
  overTime: (name: string): string => `${name} over time`,
  none: 'No feedback yet',
  noneThen: 'No feedback on calls of this time range',
  noneReason: 'Scores of rules, reactions, notes and annotations on calls appear here.',
  noneThenReason: 'There may be some on calls of another time range.',
  makeRule: 'Score new calls by a rule',
  cut: 'Only the groups with most calls are shown, and some members of each.',
  window: 'Feedback on calls that started in this time range, whenever it was given.',
} as const
