/** An id found in a pasted text. */
export interface PastedId {
  readonly id: string
  /** Project of an address or a ref; undefined for a bare id. */
  readonly projectId: string | undefined
  /** Whether the text can be nothing but an id; otherwise it may also be a word to search for. */
  readonly isCertain: boolean
  /** Whether it is worth looking for in all projects: hardly two of them have this word. */
  readonly isDistinctive: boolean
}

/**
 * The id in something pasted: the id of a call, trace or thread, the digest of an object, an
 * address of this or another tracelake that ends in one, or a line of a log that has one. Clients
 * choose ids freely, so any longer word with a digit or a sign may be one. Undefined for anything
 * else.
 */
export function idInText(text: string): PastedId | undefined {
  const trimmed = text.trim().replace(/[?#].*$/, '')
  const place = /([^/:\s]+)\/([^/\s]+)\/(?:r\/)?(?:call|trace|thread)\/([^/\s]+)$/.exec(trimmed)
  if (place?.[3])
    return {
      id: decoded(place[3]),
      projectId: `${decoded(place[1] ?? '')}/${decoded(place[2] ?? '')}`,
      isCertain: true,
      isDistinctive: true,
    }
  const generated = isGenerated(trimmed) ? trimmed : generatedIn(text)
  if (generated !== undefined) return { id: generated, projectId: undefined, isCertain: true, isDistinctive: true }
  if (!mayBeId(trimmed)) return undefined
  return { id: trimmed, projectId: undefined, isCertain: false, isDistinctive: isDistinctive(trimmed) }
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

/**
 * The first generated id of a line, where its context distinguishes it from other words:
 * `trace_id=4bf9…`, `"id": "0192f3aa-…"`, or a `traceparent`.
 */
function generatedIn(text: string): string | undefined {
  const [, ofParent] = /\b[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}\b/i.exec(text) ?? []
  const [, id] =
    /(?:^|[\s=:"'([{,])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{16})(?=$|[\s"')\]},;.])/i.exec(
      text,
    ) ?? []
  return ofParent ?? id
}

const freeIdCharsMin = 4

const mayBeId = (text: string): boolean =>
  text.length >= freeIdCharsMin && /[\d_:.-]/.test(text) && !/[<>=!"\s]/.test(text)

const distinctiveCharsMin = 8

const isDistinctive = (text: string): boolean => text.length >= distinctiveCharsMin && /\d/.test(text)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
