/** Words of the page about retention and erasure. */
export const retentionText = {
  change: 'Change',
  days: 'Days',
  daysHint: 'From 1. Leave empty to keep calls for ever.',
  erase: 'Erase project…',
  eraseLead: (project: string) =>
    `Removes all calls, objects, files, feedback and settings of ${project} from every file of the server.`,
  eraseText: 'It cannot be undone. Backups that were made before are not changed.',
  eraseTitle: (project: string) => `Erase ${project}?`,
  eraseVerb: 'Erase project',
  erasing: 'Being erased',
  erasingText: (filesLeft: number | null) =>
    `The project reads as empty and refuses writes until the end.${
      filesLeft === null ? '' : ` Files of the table at work: ${filesLeft}.`
    }`,
  failed: 'The last erasure failed',
  forDays: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  forEver: 'For ever',
  kept: 'Calls are kept',
  last: 'Last erased',
  lead: (project: string) =>
    `For how long ${project} keeps calls, log records and metrics. Expired ones go within an hour.`,
  noProject: 'Open a project first',
  noProjectReason: 'Retention belongs to a project.',
  save: 'Save',
  setBy: 'Set by',
  title: 'Erase the project',
  typeName: (project: string) => `Type ${project} to confirm`,
  wrong: 'Write a whole number of days from 1, or nothing.',
} as const
