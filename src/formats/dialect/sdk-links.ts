/** Places of the vendor's UI by their path below `/{entity}/{project}`, and ours. */
const places: readonly (readonly [form: RegExp, place: string])[] = [
  [/^r\/call\/([^/]+)$/, 'call/$1'],
  [/^weave\/calls\/([^/]+)$/, 'call/$1'],
  [/^weave\/(?:objects|ops)\/([^/]+)\/versions\/([^/]+)$/, 'object/$1/$2'],
  [/^weave\/(?:objects|ops)\/([^/]+)$/, 'object/$1'],
  [/^weave\/leaderboards\/([^/]+)$/, 'leaderboards/$1'],
  [/^weave\/agents\/conversations\/([^/]+)$/, 'thread/$1'],
  [/^weave\/threads$/, 'threads'],
  // Whatever else the vendor's UI has: the project is here all the same.
  [/^weave(?:\/.*)?$/, 'traces'],
]

/**
 * Where a link leads that the vendor's SDKs print for their own UI, with this server as its host;
 * undefined for other paths. Names and ids stay encoded as they are.
 *
 * @param path of a request
 * @returns a path below `/ui`
 */
export function placeOfSdkLink(path: string): string | undefined {
  const [, project, rest] = /^\/((?!ui\/|v2\/)[^/]+\/[^/]+)\/((?:r\/call\/|weave(?:\/|$)).*?)\/?$/.exec(path) ?? []
  if (project === undefined || rest === undefined) return undefined
  for (const [form, place] of places) if (form.test(rest)) return `/${project}/${rest.replace(form, place)}`
  return undefined
}
