/** Words of the login page. */
export const loginText = {
  failed: 'Not signed in',
  help: 'The server prints a link that signs you in when it starts for the first time. This makes another:',
  helpHead: 'No key?',
  hint: 'Kept by this browser as a cookie that scripts cannot read, never as the key itself.',
  key: 'API key',
  linkSpent: 'This link was used already or is older than ten minutes.',
  refused: 'The server does not know this key. Check that all of it was copied.',
  signIn: 'Sign in',
  signingIn: 'Signing in',
  title: 'Sign in to tracelake',
  tooMany: 'Too many attempts. Try again in a minute.',
} as const
