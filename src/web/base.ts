/** Path in front of everything this server serves, such as `/tracelake`; empty without a proxy. */
export const base: string =
  document.querySelector<HTMLMetaElement>('meta[name="tracelake-base"]')?.content.replace(/\/+$/, '') ?? ''

/** Path of the UI; routes stand below it. */
export const root = `${base}/ui`
