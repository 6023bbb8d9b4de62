import { plural } from '../parts.ts'

/** Words of the page about retention and erasure. */
export const retentionText = {
  change: 'Change',
  counting: 'Counting what that would delete…',
  days: 'Days',
  daysHint: 'At least 1. Leave empty to keep calls for ever.',
  deletes: ({ before, calls, ofCalls, others }: Record<'before' | 'calls' | 'ofCalls' | 'others', string>) => {
    if (calls === '0' && others === '0') return `Would delete nothing now: everything is from after ${before}.`
    const more = others === '0' ? '' : `, and ${plural(others, 'log record', 'log records and points of metrics')}`
    const what = `${calls} of ${plural(ofCalls, 'call')} with their feedback and files${more}`
    return `Would delete ${what}: all from before ${before}. It cannot be undone.`
  },
  deletesNothing: 'Nothing is deleted.',
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
  saveAndDelete: (calls: string) => `Save, and delete ${plural(calls, 'call')}`,
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
  anyone: 'Anyone',
  export: 'Export CSV',
  failedOnly: 'Failures only',
  operation: 'Operation',
  saved: (count: string, isCut: boolean) =>
    isCut
      ? `The newest ${count} entries are saved: choose a shorter time for the rest`
      : `Saved ${plural(count, 'entry', 'entries')}`,
  who: 'Who',
  what: 'What',
  projects: 'Project',
  result: 'Result',
  when: 'When',
  unknown: 'unknown',
  requests: (count: string) => plural(count, 'request'),
  items: (first: string, more: number) => (more > 0 ? `${first} and ${more} more` : first),
  none: 'No entries',
  noneReason: 'Nothing that matches was recorded.',
  more: 'Show more',
} as const

/** Words of the page about prices. */
export const pricesText = {
  above: (tokens: string) => `above ${tokens} input tokens`,
  add: 'Add price',
  builtin: 'Built-in prices',
  builtinLead: 'For models without a custom price, from a list that ships with the server.',
  by: 'Set by',
  change: 'New price…',
  changeText: 'The price so far stays in the history, and calls from before keep it.',
  clear: 'Clear the search',
  changeTitle: (model: string) => `New price of ${model}`,
  count: (prices: number) => `${prices} prices`,
  daily: (from: string, until: string) => `${from} to ${until} UTC, every day`,
  earlier: 'earlier',
  find: 'Find a model or provider',
  cacheRead: 'Cached input',
  cacheWrite: 'Cache write',
  from: 'Valid from',
  fromHint: (zone: string) => `A date or a time in ${zone}, also in the past. Empty: from now on.`,
  history: (model: string) => `Prices of ${model} over time`,
  input: 'Input',
  lead: (project: string) =>
    `Custom prices of ${project}, in dollars per million tokens. Models without one get the built-in price.`,
  later: 'later',
  model: 'Model',
  modelHint: 'The name used in calls, such as gpt-4o.',
  now: 'now',
  none: 'No custom prices',
  noneReason: 'Calls of known models get the price of the built-in list for their date.',
  noneFound: (text: string) => `No built-in price for “${text}”`,
  noneFoundReason: 'Calls of such models have no cost until you add a custom price.',
  noProject: 'Open a project first',
  noProjectReason: 'Prices belong to a project.',
  output: 'Output',
  remove: 'Remove',
  removed: (model: string) => `Removed a price of ${model}: costs of its calls change too`,
  replace: 'Custom price…',
  replaceText: 'It takes precedence over the built-in price; calls from before keep that one.',
  replaceTitle: (model: string) => `Custom price of ${model}`,
  save: 'Save',
  shown: (shown: string, all: string) => `${shown} of ${plural(all, 'model')}`,
  wrong: 'Write a number of 0 or more.',
  wrongTime: 'Write a date such as 2026-12-01.',
} as const
