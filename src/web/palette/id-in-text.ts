/** What a pasted text names. */
export interface NamedThing {
  readonly id: string
  /** Project of an address or a ref; undefined for a bare id. */
  readonly projectId: string | undefined
  /** Whether the text can be nothing but an id; otherwise it may also be a word to search for. */
  readonly isCertain: boolean
}

/**
 * The id in something pasted: the id of a call, trace or thread, the digest of an object, or an
 * address of this or another tracelake that ends in one. Clients choose ids freely, so any longer
 * word with a digit or a sign may be one. Undefined for anything else.
 */
export function idInText(text: string): NamedThing | undefined {
  const trimmed = text.trim().replace(/[?#].*$/, '')
  if (/\s/.test(trimmed)) return undefined
  const place = /([^/:]+)\/([^/]+)\/(?:r\/)?(?:call|trace|thread)\/([^/]+)$/.exec(trimmed)
  if (place?.[3])
    return {
      id: decoded(place[3]),
      projectId: `${decoded(place[1] ?? '')}/${decoded(place[2] ?? '')}`,
      isCertain: true,
    }
  const isCertain = isGenerated(trimmed)
  return isCertain || mayBeId(trimmed) ? { id: trimmed, projectId: undefined, isCertain } : undefined
}

/** An object or op that a ref names: `ext:///acme/bot/object/prompt:digest`. */
export interface NamedObject {
  readonly projectId: string
  readonly name: string
  readonly digest: string
}

/** The object in a pasted ref; undefined for anything else. */
export function objectInText(text: string): NamedObject | undefined {
  const [, entity, project, name, digest] =
    /^[a-z]+:\/\/\/([^/]+)\/([^/]+)\/(?:object|op)\/([^/:]+):([\w*-]+)/.exec(text.trim()) ?? []
  if (digest === undefined) return undefined
  return { projectId: `${decoded(entity ?? '')}/${decoded(project ?? '')}`, name: decoded(name ?? ''), digest }
}

const isGenerated = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ||
  /^(?:[0-9a-f]{32}|[0-9a-f]{16})$/i.test(text)

const freeIdCharsMin = 4

const mayBeId = (text: string): boolean =>
  text.length >= freeIdCharsMin && /[\d_:.-]/.test(text) && !/[<>=!"]/.test(text)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
