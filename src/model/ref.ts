/** Refs start with one of these, all with `e` or `w`; the first two name the same things (the neutral scheme and the vendor's). */
const schemes = ['ext:///', 'weave:///', 'ext-internal:///', 'weave-trace-internal:///', 'wandb-artifact:///'] as const

const twins: Readonly<Record<string, string>> = {
  'ext:///': 'weave:///',
  'weave:///': 'ext:///',
  'ext-internal:///': 'weave-trace-internal:///',
  'weave-trace-internal:///': 'ext-internal:///',
}

/** Whether a text is a ref: a known scheme, then at least one name and a tail without white space. */
export function isRef(text: string): boolean {
  const scheme = schemeOf(text)
  return scheme !== undefined && /^[^/\s][^\s]*\/[^\s]+$/.test(text.slice(scheme.length))
}

/** Whether a text that starts with a scheme is a whole ref of an op (`…/op/<name>:<digest>`), or of an artifact of the older kind. */
export function isOpRef(text: string): boolean {
  return (
    isRef(text) &&
    (text.startsWith('wandb-artifact:///') || /^[^:]+:\/\/\/[^/]+(?:\/[^/]+)?\/op\/[^/:]+:[^/]+$/.test(text))
  )
}

export const startsLikeRef = (text: string): boolean => schemeOf(text) !== undefined

/** A ref in both schemes, because clients of either spelling write to one store; other texts stay alone. */
export function bothSpellings(text: string): string[] {
  const scheme = schemeOf(text)
  const twin = scheme === undefined ? undefined : twins[scheme]
  return scheme === undefined || twin === undefined ? [text] : [text, twin + text.slice(scheme.length)]
}

function schemeOf(text: string): string | undefined {
  // Every text of every payload comes by here: a look at its first letter spares nearly all of them the rest.
  const first = text.charCodeAt(0)
  if (first !== 101 && first !== 119) return undefined
  return schemes.find((scheme) => text.startsWith(scheme))
}
