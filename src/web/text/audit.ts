import { plural } from './plural.ts'

/** Words of the page with the audit log. */
export const auditText = {
  lead: 'Who signed in, administered and changed what. Sent telemetry is counted by minute.',
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
