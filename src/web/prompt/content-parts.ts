import { ContainerScan, memberPlace, skipSpace } from '../json/scan.ts'

/**
 * A part of the content of a message. `json` is its text to the letter: what is not edited stays
 * as it was written, also in parts that nobody knows.
 */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string; readonly json: string }
  | { readonly type: 'image'; readonly url: string; readonly json: string }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly json: string }
  | { readonly type: 'other'; readonly name: string; readonly json: string }

/** The parts of a content; undefined if its text is no JSON list. */
export function contentPartsOf(content: string): readonly ContentPart[] | undefined {
  let values: unknown
  try {
    values = JSON.parse(content)
  } catch {
    return undefined // Somebody is typing JSON.
  }
  if (!Array.isArray(values)) return undefined
  const scan = new ContainerScan(content, skipSpace(content, 0))
  while (scan.run(content, content.length));
  const { entries } = scan
  return values.map((value: unknown, at) => partOf(value, content.slice(entries.start.at(at), entries.end.at(at))))
}

function partOf(value: unknown, json: string): ContentPart {
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const { type, text, image_url: image, content, tool_use_id: id } = members
  if (type === 'text' && typeof text === 'string') return { type, text, json }
  if (type === 'image_url' && typeof image === 'object' && image !== null && 'url' in image)
    if (typeof image.url === 'string') return { type: 'image', url: image.url, json }
  if (type === 'tool_result' && typeof content === 'string')
    return { type: 'result', id: typeof id === 'string' ? id : '', text: content, json }
  return { type: 'other', name: typeof type === 'string' ? type : '', json }
}

/** The content that has these parts. */
export const contentWith = (parts: readonly ContentPart[]): string =>
  parts.length === 0 ? '[]' : `[\n  ${parts.map(({ json }) => json.trim()).join(',\n  ')}\n]`

const places = { text: ['text'], image: ['image_url', 'url'], result: ['content'] }

/** A part with another text, or address of its image; all other members stay to the letter. */
export function changedPart(part: ContentPart, value: string): ContentPart {
  if (part.type === 'other') return part
  const { start, end } = memberPlace(part.json, places[part.type]) ?? { start: 0, end: 0 }
  const json = part.json.slice(0, start) + JSON.stringify(value) + part.json.slice(end)
  return part.type === 'image' ? { ...part, url: value, json } : { ...part, text: value, json }
}

/** A new part with a text. */
export const textPart = (text: string): ContentPart => ({
  type: 'text',
  text,
  json: JSON.stringify({ type: 'text', text }),
})

/** A new part with an image. @param url address, or a data URI */
export const imagePart = (url: string): ContentPart => ({
  type: 'image',
  url,
  json: JSON.stringify({ type: 'image_url', image_url: { url } }),
})

/** The text of a content that is one text without other members, which needs no parts. */
export const plainText = ([part, ...more]: readonly ContentPart[]): string | undefined =>
  part?.type === 'text' && more.length === 0 && Object.keys(JSON.parse(part.json)).length === 2 ? part.text : undefined
