/** Path in front of everything this server serves, such as `/tracelake`; empty without a proxy. */
export const base: string =
  document.querySelector<HTMLMetaElement>('meta[name="tracelake-base"]')?.content.replace(/\/+$/, '') ?? ''

/** Path of the UI; routes stand below it. */
export const root = `${base}/ui`

/** The guide of this version, which the server shows beside the UI. */
export const guidePath = `${base}/docs/guide/`

/** Name of the OpenID provider that people may sign in through; undefined if there is none. */
export const provider: string | undefined = document.querySelector<HTMLMetaElement>(
  'meta[name="tracelake-provider"]',
)?.content

/** Whether the browser sent a session's cookie with the page; the session may have ended since. */
export const mayHaveSession: boolean = document.querySelector('meta[name="tracelake-session"]') !== null
