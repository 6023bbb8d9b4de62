/** Why signing in through a provider failed, by the code in the address. */
const problems: Readonly<Record<string, readonly [title: string, text: string]>> = {
  denied: ['Not signed in', 'You cancelled, or the provider did not let you in.'],
  'no-access': [
    'You have no access here',
    'The provider knows you, but none of your groups may use this server. Ask its administrator to add you to one.',
  ],
  expired: [
    'This sign-in has expired',
    'It took longer than ten minutes, was finished before, or began in another browser.',
  ],
  invalid: ['This sign-in could not be verified', 'The response of the provider is not valid.'],
  clock: [
    'The clocks differ',
    'By the clock of this server, the token of the provider is not valid. The administrator has to correct the clock.',
  ],
  unreachable: ['The provider did not answer', 'Try again in a moment. Signing in with an API key still works.'],
  refused: [
    'The provider refused this server',
    'Its administrator has to check the client id, the client secret and the redirect address. The log says more.',
  ],
  busy: ['Too many sign-ins', 'Try again in a minute.'],
}

/** Words of the login page. */
export const loginText = {
  ended: {
    key_revoked: ['Your key is no longer valid', 'The key that you signed in with was revoked or replaced.'],
    ended: ['Your session has ended', 'Sign in again to continue.'],
  },
  help:
    'The server prints a link that signs you in when it starts for the first time. On its machine, this makes ' +
    'another, which works once and for ten minutes:',
  helpHead: 'No key?',
  hint: 'This browser stores a cookie that scripts cannot read, never the key itself.',
  key: 'API key',
  linkFailed: 'This link is no longer valid',
  linkSpent: 'It was used already, or it is older than ten minutes.',
  orKey: 'or with an API key',
  problems,
  reference: 'Reference for the log:',
  refused: 'The server does not accept this key. Check that all of it was copied; it may have been revoked.',
  signIn: 'Sign in',
  signInWith: (provider: string) => `Sign in with ${provider}`,
  signingIn: 'Signing in',
  title: 'Sign in to tracelake',
  tooMany: 'Too many attempts. Try again in a minute.',
} as const
