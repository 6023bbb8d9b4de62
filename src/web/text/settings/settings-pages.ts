import { plural } from '../parts.ts'

/** Words of the page about retention and erasure. */
export const retentionText = {
  change: 'Change',
  days: 'Days',
  daysHint: 'At least 1. Leave empty to keep calls for ever.',
  erase: 'Erase project…',
  eraseLead: (project: string) =>
    `Removes all calls, objects, files, feedback and settings of ${project} from every file of the server.`,
  eraseText: 'It cannot be undone. Backups that were made before are not changed.',
  eraseTitle: (project: string) => `Erase ${project}?`,
  eraseVerb: 'Erase project',
  erasing: 'Being erased',
  erasingText: (filesLeft: number | null) =>
    `The project appears empty and refuses writes until it is erased.${
      filesLeft === null ? '' : ` Files left in the current table: ${filesLeft}.`
    }`,
  failed: 'The last erasure failed',
  forDays: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  forEver: 'For ever',
  kept: 'Calls are kept',
  last: 'Last erased',
  lead: (project: string) =>
    `For how long ${project} keeps calls, log records and metrics. Expired ones are deleted within an hour.`,
  noProject: 'Open a project first',
  noProjectReason: 'Retention belongs to a project.',
  save: 'Save',
  setBy: 'Set by',
  title: 'Erase the project',
  typeName: (project: string) => `Type ${project} to confirm`,
  wrong: 'Write a whole number of days from 1, or nothing.',
} as const

/** Words of the page with the audit log. */
export const auditText = {
  lead: 'Sign-ins, administration and changes. Sent telemetry is counted by minute.',
  kind: 'Show',
  kinds: {
    people: 'Main events',
    'sign-in': 'Sign-ins',
    admin: 'Administration',
    change: 'Changes',
    ingest: 'Telemetry',
    read: 'Reads',
  },
  who: 'Who',
  what: 'What',
  projects: 'Project',
  result: 'Result',
  when: 'When',
  unknown: 'unknown',
  requests: (count: string) => plural(count, 'request'),
  items: (first: string, more: number) => (more > 0 ? `${first} and ${more} more` : first),
  none: 'No entries',
  noneReason: 'Nothing of this kind was recorded.',
  more: 'Show more',
} as const

/** Words of the page about prices. */
export const pricesText = {
  add: 'Add price',
  cacheRead: 'Cached input',
  cacheWrite: 'Cache write',
  from: 'From',
  input: 'Input',
  lead: (project: string) =>
    `Custom prices of ${project}, in dollars per million tokens. Models without one get the built-in price.`,
  model: 'Model',
  modelHint: 'The name used in calls, such as gpt-4o.',
  none: 'No custom prices',
  noneReason: 'Calls of known models get the price of the built-in list for their date.',
  noProject: 'Open a project first',
  noProjectReason: 'Prices belong to a project.',
  output: 'Output',
  remove: 'Remove',
  removeTitle: (model: string) => `Remove the price of “${model}”?`,
  removeText: 'Costs are computed when they are read: those of past calls change too.',
  save: 'Save',
  wrong: 'Write a number of 0 or more.',
} as const
