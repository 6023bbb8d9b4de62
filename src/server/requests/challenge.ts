/**
 * The scheme for pages instead of `Basic`: for Basic, browsers open a password dialog of their own,
 * which holds up the page until someone closes it. No browser reacts to Bearer.
 */
const pageChallenge = 'Bearer realm="tracelake"'

/**
 * Replaces the challenge of a 401 if a page in a browser made the request. Other clients, and
 * people who open an address, keep Basic. See docs/decisions/204-challenge-of-pages.md.
 */
export function replaceChallengeForPages({ headers }: Request, answer: Response): void {
  if (answer.headers.has('www-authenticate') && isFromPage(headers))
    answer.headers.set('www-authenticate', pageChallenge)
}

/**
 * Whether a script or an element of a page made a request. `Sec-Fetch-Site` distinguishes browsers
 * from other clients: `Sec-Fetch-Mode` alone comes from Node.js too. Browsers omit both where a
 * page was loaded over plain HTTP from another machine; `Origin` and `Referer` remain there.
 */
function isFromPage(headers: Headers): boolean {
  if (headers.get('x-requested-with') !== null) return true
  if (headers.get('sec-fetch-site') === null) return headers.has('origin') || headers.has('referer')
  return headers.get('sec-fetch-mode') !== 'navigate' || headers.get('sec-fetch-dest') !== 'document'
}
