/** Refs start with one of these, all with `e` or `w`; the first two name the same things (the neutral scheme and the vendor's). */
const schemes = ['ext:///', 'weave:///', 'ext-internal:///', 'weave-trace-internal:///', 'wandb-artifact:///'] as const

const twins: Readonly<Record<string, string>> = {
  'ext:///': 'weave:///',
  'weave:///': 'ext:///',
  'ext-internal:///': 'weave-trace-internal:///',
  'weave-trace-internal:///': 'ext-internal:///',
}

/**
 * Whether a text is a ref: a known scheme, then at least one name and a tail, without white space; only the name of a project may have
 * spaces inside.
 */
export function isRef(text: string): boolean {
  const scheme = schemeOf(text)
  if (scheme === undefined) return false
  const rest = text.slice(scheme.length)
  return /^[^/\s][^\s]*\/[^\s]+$/.test(rest) || /^[\w.-][\w. -]*\/[\w.-][\w. -]*\/[^\s]+$/.test(rest)
}

/** Whether a text that starts with a scheme is a whole ref of an op (`…/op/<name>:<digest>`), or of an artifact of the older kind. */
export function isOpRef(text: string): boolean {
  return (
    isRef(text) &&
    (text.startsWith('wandb-artifact:///') || /^[^:]+:\/\/\/[^/]+(?:\/[^/]+)?\/op\/[^/:]+:[^/]+$/.test(text))
  )
}

export const startsLikeRef = (text: string): boolean => schemeOf(text) !== undefined

/**
 * A ref in both schemes, because clients of either spelling write to one store, and where its project has spaces with these as they are
 * and escaped; other texts stay alone.
 */
export function bothSpellings(text: string): string[] {
  const scheme = schemeOf(text)
  const twin = scheme === undefined ? undefined : twins[scheme]
  if (scheme === undefined || twin === undefined) return [text]
  const rests = withSpacesEitherWay(text.slice(scheme.length))
  return [scheme, twin].flatMap((spelling) => rests.map((rest) => spelling + rest))
}

/** What follows the scheme of a ref. */
function withSpacesEitherWay(rest: string): string[] {
  const [, project, tail] = /^([^/]+\/[^/]+)(\/.*)?$/s.exec(rest) ?? []
  if (project === undefined || !/ |%20/.test(project)) return [rest]
  const spelled = [project.replaceAll('%20', ' '), project.replaceAll(' ', '%20')].map((name) => name + (tail ?? ''))
  return [rest, ...spelled.filter((other) => other !== rest)]
}

function schemeOf(text: string): string | undefined {
  // Every text of every payload comes by here: a look at its first letter spares nearly all of them the rest.
  const first = text.charCodeAt(0)
  if (first !== 101 && first !== 119) return undefined
  return schemes.find((scheme) => text.startsWith(scheme))
}
