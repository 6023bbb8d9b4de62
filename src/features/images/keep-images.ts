import type { ProjectWriter } from '../../foundation/access/caller.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import { decodeBase64 } from '../../platform/crypto.ts'
import { type ContentKeeping, ContentSink, keepContents } from '../../records/calls/contents.ts'
import type { ProviderClient } from '../completions/provider-client.ts'
import { imageTypeOf } from './media-type.ts'

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
  answer: Json,
  dependencies: { contents: ContentKeeping; client: ProviderClient; signal: AbortSignal },
): Promise<Json> {
  const { contents, client, signal } = dependencies
  const sink = new ContentSink(contents)
  const keep = (bytes: Uint8Array, at: number) => {
    const { type, extension } = imageTypeOf(bytes)
    return sink.keep(bytes, type, `image-${at + 1}.${extension}`)
  }
  const data: unknown[] = []
  for (const [at, item] of (answer['data'] as unknown[]).entries()) {
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
