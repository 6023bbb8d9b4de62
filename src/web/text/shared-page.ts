/** Words of the page of a read-only link. */
export const sharedPageText = {
  name: 'Shared trace',
  opening: 'Opening the link',
  banner: 'Read-only link to one trace',
  expires: (time: string) => `expires ${time}`,
  expired: 'This link has expired',
  revoked: 'This link was revoked',
  endedReason: 'Ask for a new one. If you have a key or an account here, sign in to open the trace.',
  invalid: 'This link does not work',
  invalidReason:
    'It may have been cut off when it was copied: it ends in # and 64 letters and digits. Ask for it once more.',
  tooMany: 'Too many links that do not work were opened from here',
  tooManyReason: 'Wait a minute, then try again.',
  noCookie: 'This browser does not keep the link',
  noCookieReason: 'Allow cookies of this site, then load the page again.',
  signIn: 'Sign in',
} as const
