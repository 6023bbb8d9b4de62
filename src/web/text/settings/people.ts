/** Words of the page about people. */
export const peopleText = {
  first: 'First sign-in',
  groups: 'Groups',
  last: 'Last sign-in',
  lead: 'People who have signed in through the OpenID provider. Its groups decide what they may do.',
  none: 'Only keys so far',
  noneReason:
    'Without an OpenID provider, people sign in with a key. The guide has a page about signing in with accounts.',
  sessions: 'Sessions',
  signOut: 'Sign out everywhere',
  signOutText:
    'All sessions end now. To keep the person from signing in again, remove them from the groups of the provider.',
  signOutTitle: (name: string) => `Sign “${name}” out everywhere?`,
} as const
