import { isJsonObject } from '../../../lib/json-value.ts'
import { decodeBase64 } from '../../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../../access/index.ts'
import { type ContentKeeping, ContentSink, keepContents } from '../../calls/index.ts'
import type { ProviderClient } from '../provider-client.ts'

type Json = Record<string, unknown>

/**
 * Stores the images of a response (`data[].b64_json`, `data[].url`) as files of the project and
 * replaces them by content objects that name the files; durable when this returns.
 *
 * @throws Error if an image is not base64 or cannot be downloaded; CompletionRefused if its address
 *   is not allowed
 */
export async function keepImages(
  writer: ProjectWriter,
  answer: Json & { readonly data: readonly unknown[] },
  dependencies: { contents: ContentKeeping; client: ProviderClient; signal: AbortSignal },
): Promise<Json> {
  const { contents, client, signal } = dependencies
  const sink = new ContentSink(contents)
  const keep = (bytes: Uint8Array, at: number) => {
    const { type, extension } = imageTypeOf(bytes)
    return sink.keep(bytes, type, `image-${at + 1}.${extension}`)
  }
  const data: unknown[] = []
  for (const [at, item] of answer.data.entries()) {
    if (!isJsonObject(item)) data.push(item)
    else if (typeof item['b64_json'] === 'string') data.push({ ...item, b64_json: keep(decoded(item['b64_json']), at) })
    else if (typeof item['url'] === 'string')
      data.push({ ...item, url: keep(await client.download(item['url'], signal), at) })
    else data.push(item)
  }
  await keepContents(contents, writer, sink)
  return { ...answer, data }
}

function decoded(text: string): Uint8Array {
  const bytes = decodeBase64(text)
  if (bytes === undefined) throw new Error('an image is not valid base64')
  return bytes
}

/** Magic bytes of the image formats that providers return. */
const signatures: readonly {
  readonly type: string
  readonly extension: string
  readonly is: (bytes: Uint8Array) => boolean
}[] = [
  { type: 'image/png', extension: 'png', is: (bytes) => startsWith(bytes, 0, '\x89PNG') },
  { type: 'image/jpeg', extension: 'jpg', is: (bytes) => startsWith(bytes, 0, '\xff\xd8\xff') },
  {
    type: 'image/webp',
    extension: 'webp',
    is: (bytes) => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'),
  },
]

/** Media type and file extension of an image, by its magic bytes. */
const imageTypeOf = (bytes: Uint8Array): { type: string; extension: string } =>
  signatures.find(({ is }) => is(bytes)) ?? { type: 'application/octet-stream', extension: 'bin' }

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0))
