import { isJsonObject } from '../../../lib/json-value.ts'
import { customTypeMembers } from '../../dialect/spellings.ts'
import type { MediaPart } from '../../schemas/messages.ts'
import { firstText, firstValue, type Members, objectIn } from './members.ts'

type MediaType = MediaPart['type']

/**
 * An image, audio or file, wherever its content is: in a file of the project, at a URL, or inline.
 *
 * @param value a URL, base64, or an object that holds one of them
 * @param expected what the part says that it is
 * @returns undefined if the value holds no content
 */
export function mediaPart(value: unknown, expected: MediaType, stated?: string): MediaPart | undefined {
  if (typeof value === 'string') return value === '' ? undefined : ofText(value, expected, stated)
  if (!isJsonObject(value)) return undefined
  const digest = contentDigest(value)
  if (digest !== undefined) return partOf(stated ?? null, kindOfClass(value) ?? expected, { digest })
  const mediaType = stated ?? mediaTypeIn(value)
  const inner = firstValue(value, ...holders)
  return inner === undefined ? undefined : mediaPart(inner, expected, mediaType)
}

/** The media type that an object states. */
export const mediaTypeIn = (object: Members): string | undefined =>
  firstText(object, 'media_type', 'mediaType', 'mime_type', 'mimeType') ??
  // OpenAI states the format of audio only.
  formatIn(object)

/** Members that hold a content, in the parts of all providers. */
const holders = [
  'url',
  'data',
  'uri',
  'file_uri',
  'fileUri',
  'file_data',
  'fileData',
  'base64',
  'bytes',
  'image_url',
  'image',
  'source',
  'content',
  'b64_json',
]

function formatIn(object: Members): string | undefined {
  const format = firstText(object, 'format')
  return format === undefined ? undefined : `audio/${format === 'mp3' ? 'mpeg' : format}`
}

function ofText(text: string, expected: MediaType, stated: string | undefined): MediaPart {
  const data = /^data:([^;,]+)?(?:;[^;,]+)*;base64,/.exec(text)
  if (data !== null) {
    const mediaType = data[1] ?? stated ?? null
    return partOf(mediaType, expected, { data: text.slice(data[0].length) })
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return partOf(stated ?? null, expected, { url: text })
  return partOf(stated ?? null, expected, { data: text })
}

function partOf(
  mediaType: string | null,
  expected: MediaType,
  held: Partial<Pick<MediaPart, 'digest' | 'url' | 'data'>>,
): MediaPart {
  const type = kindOfMediaType(mediaType) ?? expected
  return { type, digest: null, url: null, media_type: mediaType, data: null, ...held }
}

function kindOfMediaType(mediaType: string | null): MediaType | undefined {
  const kind = mediaType?.split('/')[0]
  return kind === 'image' || kind === 'audio' ? kind : undefined
}

/** The digest of the content of a custom value, as which the server and the SDKs store media. */
export function contentDigest(value: Members): string | undefined {
  const files = objectIn(value, 'files')
  if (files === undefined || !firstText(value, '_type')?.startsWith('Custom')) return undefined
  const name = Object.keys(files).find((file) => file !== 'metadata.json')
  return name === undefined ? undefined : firstText(files, name)
}

function kindOfClass(value: Members): MediaType | undefined {
  const types = customTypeMembers.map((member) => firstText(objectIn(value, member) ?? {}, 'type'))
  const name = types.find((type) => type !== undefined) ?? ''
  if (/image/i.test(name)) return 'image'
  return /audio|wave/i.test(name) ? 'audio' : undefined
}
