/** What a pasted text names. */
export interface NamedThing {
  readonly id: string
  /** Project of an address or a ref; undefined for a bare id. */
  readonly projectId: string | undefined
}

/**
 * The id in something pasted: a call or trace id (UUID, 32 or 16 hex digits), an address of this or
 * another tracelake that ends in one, or a call ref. Undefined for anything else.
 */
export function idInText(text: string): NamedThing | undefined {
  const trimmed = text.trim().replace(/[?#].*$/, '')
  if (/\s/.test(trimmed)) return undefined
  const place = /([^/:]+)\/([^/]+)\/(?:r\/)?(?:call|trace)\/([^/]+)$/.exec(trimmed)
  if (place?.[3]) return { id: decoded(place[3]), projectId: `${decoded(place[1] ?? '')}/${decoded(place[2] ?? '')}` }
  return isId(trimmed) ? { id: trimmed, projectId: undefined } : undefined
}

const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ||
  /^(?:[0-9a-f]{32}|[0-9a-f]{16})$/i.test(text)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
