/**
 * The schemes of refs, all starting with `e` or `w`. The first two are equivalent (neutral and
 * vendor scheme).
 */
const schemes = ['ext:///', 'weave:///', 'ext-internal:///', 'weave-trace-internal:///', 'wandb-artifact:///'] as const

const twins: Readonly<Record<string, string>> = {
  'ext:///': 'weave:///',
  'weave:///': 'ext:///',
  'ext-internal:///': 'weave-trace-internal:///',
  'weave-trace-internal:///': 'ext-internal:///',
}

/**
 * Whether a text is a ref: a known scheme, then at least one name and a tail, without whitespace,
 * except that project names may contain spaces.
 */
export function isRef(text: string): boolean {
  const scheme = schemeOf(text)
  if (scheme === undefined) return false
  const rest = text.slice(scheme.length)
  return /^[^/\s][^\s]*\/[^\s]+$/.test(rest) || /^[\w.-][\w. -]*\/[\w.-][\w. -]*\/[^\s]+$/.test(rest)
}

/**
 * Whether a text is a complete op ref (`…/op/<name>:<digest>`), or an artifact ref of the older
 * kind.
 */
export function isOpRef(text: string): boolean {
  return (
    isRef(text) &&
    (text.startsWith('wandb-artifact:///') || /^[^:]+:\/\/\/[^/]+(?:\/[^/]+)?\/op\/[^/:]+:[^/]+$/.test(text))
  )
}

export const startsLikeRef = (text: string): boolean => schemeOf(text) !== undefined

/**
 * All spellings of a ref: in both schemes, because clients of either share a store, and with spaces
 * in the project both literal and escaped. Other texts are returned alone.
 */
export function bothSpellings(text: string): string[] {
  const scheme = schemeOf(text)
  const twin = scheme === undefined ? undefined : twins[scheme]
  if (scheme === undefined || twin === undefined) return [text]
  const rests = withSpacesEitherWay(text.slice(scheme.length))
  return [scheme, twin].flatMap((spelling) => rests.map((rest) => spelling + rest))
}

/** Everything after the scheme of a ref. */
function withSpacesEitherWay(rest: string): string[] {
  const [, project, tail] = /^([^/]+\/[^/]+)(\/.*)?$/s.exec(rest) ?? []
  if (project === undefined || !/ |%20/.test(project)) return [rest]
  const spelled = [project.replaceAll('%20', ' '), project.replaceAll(' ', '%20')].map((name) => name + (tail ?? ''))
  return [rest, ...spelled.filter((other) => other !== rest)]
}

function schemeOf(text: string): string | undefined {
  // Called for every text of every payload: checking the first letter settles nearly all of them.
  const first = text.charCodeAt(0)
  if (first !== 101 && first !== 119) return undefined
  return schemes.find((scheme) => text.startsWith(scheme))
}
