/**
 * An element in which the server states a setting in the head of the page; also null in unit tests,
 * which have no page.
 */
const stated = (name: string): HTMLMetaElement | null =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>(`meta[name="tracelake-${name}"]`)

/** Path in front of everything this server serves, such as `/tracelake`; empty without a proxy. */
export const base: string = stated('base')?.content.replace(/\/+$/, '') ?? ''

/** Path of the UI; routes are below it. */
export const root = `${base}/ui`

/**
 * Id of the read-only link to a trace whose page this is; undefined on every other page. Whoever
 * looks at it has no session, reads this one trace, and goes nowhere else from here.
 */
export const sharedLink: string | undefined =
  typeof location === 'undefined'
    ? undefined
    : /^\/shared\/([0-9a-f]{16})\/?$/.exec(location.pathname.slice(root.length))?.[1]

/** The guide of this version, which the server shows beside the UI. */
export const guidePath = `${base}/docs/guide/`

/** Name of the OpenID provider that people may sign in through; undefined if there is none. */
export const provider: string | undefined = stated('provider')?.content

/** Whether the browser sent a session's cookie with the page; the session may have ended since. */
export const mayHaveSession: boolean = stated('session') !== null
