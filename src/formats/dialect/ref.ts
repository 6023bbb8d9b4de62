import { BoundedMap } from '../../lib/bounded-map.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { internalProjectId } from '../../lib/project-id.ts'
import { artifactScheme, spellings } from './spellings.ts'

const { ext, weave } = spellings

/** Scheme → the equivalent scheme of the other dialect. */
const twins: ReadonlyMap<string, string> = new Map([
  [ext.refScheme, weave.refScheme],
  [weave.refScheme, ext.refScheme],
  [ext.internalRefScheme, weave.internalRefScheme],
  [weave.internalRefScheme, ext.internalRefScheme],
])

/** The schemes of refs, all starting with `e` or `w`. */
const schemes: readonly string[] = [...twins.keys(), artifactScheme]

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
    isRef(text) && (text.startsWith(artifactScheme) || /^[^:]+:\/\/\/[^/]+(?:\/[^/]+)?\/op\/[^/:]+:[^/]+$/.test(text))
  )
}

export const startsLikeRef = (text: string): boolean => schemeOf(text) !== undefined

/**
 * All spellings of a ref: in both schemes, because clients of either share a store, and with spaces
 * in the project both literal and escaped. Other texts are returned alone.
 */
export function allSpellings(text: string): string[] {
  const scheme = schemeOf(text)
  const twin = scheme === undefined ? undefined : twins.get(scheme)
  if (scheme === undefined || twin === undefined) return [text]
  const rests = withSpacesEitherWay(text.slice(scheme.length))
  return [scheme, twin].flatMap((spelling) => rests.map((rest) => spelling + rest))
}

/** The prefixes of refs into the project, in all spellings. */
export const refPrefixesOf = (projectId: string): string[] =>
  [`${ext.refScheme}${projectId}/`, `${ext.internalRefScheme}${internalProjectId(projectId)}/`].flatMap(allSpellings)

/**
 * Regular expression (JavaScript and DuckDB) for the start of an op ref; group 1 is the encoded
 * name.
 */
export const opRefStart = `^(?:${[ext, weave].map(({ refScheme }) => refScheme).join('|')})[^/]+/[^/]+/op/([^/:]+):`
const opRef = new RegExp(opRefStart)

/**
 * The short name of an op: the part of an op ref between the last `/` and the `:`
 * (`ext:///e/p/op/answer:v1` → `answer`). Other names are returned unchanged.
 */
export function opShortName(opName: string): string {
  const known = shortNames.get(opName)
  if (known !== undefined) return known
  const [, encoded] = opRef.exec(opName) ?? []
  if (encoded === undefined) return opName
  const name = decoded(encoded)
  if (opName.length <= telemetryLimits.cachedKeyCharsMax) shortNames.set(opName, name)
  return name
}

/** Refs repeat from call to call. */
const shortNames = new BoundedMap<string, string>(telemetryLimits.cachedKeysMax)

function decoded(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    // Not percent-encoded after all.
    return name
  }
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
