/** The op name of a call whose source may be stored: a ref with the op's object id and digest. */
export const opRef = /^[a-z]+:\/\/\/[^/]+\/[^/]+\/op\/([^/:]+):([^/]+)$/

/** An id cut in the middle, because ids that differ at the end start alike: `0192f3…7e02`. */
export const shortId = (id: string, kept = 12): string =>
  id.length <= kept + 1 ? id : `${id.slice(0, Math.ceil(kept / 2))}…${id.slice(-Math.floor(kept / 2))}`

/** The name inside an op ref, `ext:///acme/bot/op/solve:7d1f…`; any other name as it is. */
export function opName(stored: string): string {
  const match = /\/op\/([^/]+?)(?::[^:/]*)?$/.exec(stored)
  return match?.[1] ? decoded(match[1]) : stored
}

/** The name of the op of a span with that name: names of objects have no spaces and few signs. */
export const opNameOfSpan = (spanName: string): string =>
  spanName.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replaceAll(/^-+|-+$/g, '')

/** Whether a text is the ref of an object rather than a name. */
export const isRef = (text: string): boolean => text.includes(':///')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A percent sign that escapes nothing is part of the name.
  }
}
