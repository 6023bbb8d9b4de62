import mime from 'mime'
import { callsTable } from '../../engine/tables/calls-table.ts'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import type { Row } from '../../lib/table.ts'
import { partAt } from '../../lib/typed-rows.ts'
import { digestOfHash } from '../../runtime/digest.ts'
import { decodeBase64, Sha256 } from '../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { Files } from '../files/index.ts'

const { at } = callsTable
const payload = [at.attributes, at.inputs, at.output, at.summary]

/** JSON text that takes the place of a part of a payload, as the vendor's servers have it. */
export const exceedsLimits = ({ namespace }: Pick<Dialect, 'namespace'>): string =>
  `{"_${namespace}":{"error":"<EXCEEDS_LIMITS>"}}`

/**
 * Replaces the largest of attributes, inputs, output and summary, one after the other, until all of
 * them together are within `requestLimits.callPayloadBytesMax`. See
 * docs/decisions/211-large-calls.md.
 */
export function stripLarge(part: Row, marker: string): void {
  const sizes = payload.map((cell) => ({ cell, bytes: Buffer.byteLength(partAt(part, cell) ?? '') }))
  let bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
  for (const largest of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= requestLimits.callPayloadBytesMax) return
    part[largest.cell] = marker
    bytes += marker.length - largest.bytes
  }
}

/** Where content extracted from payloads is stored, and how its replacement is spelled. */
export interface ContentKeeping {
  readonly files: Files
  readonly dialect: Dialect
}

/** Collects base64 content in payloads that is long enough to be stored as files. */
export class ContentSink {
  readonly files: { readonly digest: string; readonly bytes: Uint8Array; readonly name: string }[] = []
  private readonly dialect: Dialect

  constructor({ dialect }: Pick<ContentKeeping, 'dialect'>) {
    this.dialect = dialect
  }

  /**
   * Replaces a long base64 `data:` URI (RFC 2397) by a custom value that names its two files,
   * `content` and `metadata.json`, from which the original text can be restored exactly. Undefined
   * for any other text.
   */
  replace(text: string): object | undefined {
    if (text.length <= requestLimits.inlineContentCharsMax || !text.startsWith('data:')) return undefined
    const [prefix, mediaType] = dataUriStart.exec(text.slice(0, prefixCharsMax)) ?? []
    const bytes = prefix === undefined ? undefined : decodeBase64(text.slice(prefix.length))
    if (prefix === undefined || bytes === undefined) return undefined
    return this.content(bytes, dataUriMetadata(bytes, prefix, mediaType ?? 'text/plain'))
  }

  /** A custom value for raw bytes. */
  keep(bytes: Uint8Array, mediaType: string, filename: string): object {
    return this.content(bytes, {
      ...metadataOf(bytes, mediaType, filename),
      content_type: 'bytes',
      input_type: 'bytes',
    })
  }

  private content(bytes: Uint8Array, metadata: object): object {
    const { customValue, namespace } = this.dialect
    return {
      ...customValue(`${namespace}.type_wrappers.Content.content.Content`),
      files: {
        content: this.add('content', bytes),
        'metadata.json': this.add('metadata.json', new TextEncoder().encode(JSON.stringify(metadata))),
      },
    }
  }

  private add(name: string, bytes: Uint8Array): string {
    const digest = digestOfHash(new Sha256().update(bytes).digest())
    this.files.push({ name, digest, bytes })
    return digest
  }
}

/**
 * Stores everything that a sink has collected; durable when this returns. See
 * docs/decisions/030-data-uris-become-files.md.
 */
export const keepContents = ({ files }: ContentKeeping, writer: ProjectWriter, sink: ContentSink): Promise<void> =>
  files.createFromBytes(writer, sink.files)

const prefixCharsMax = 512
/** Media type, parameters, and `;base64`; `data:;base64,` is text. */
const dataUriStart = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?(?:;[\w!#$&^.+-]+=[\w!#$&^.+-]+)*;base64,/

/** Metadata that the vendor's SDKs read with a content. */
const metadataOf = (bytes: Uint8Array, mimetype: string, filename: string) => ({
  mimetype,
  extension: /\.[^.]+$/.exec(filename)?.[0] ?? '',
  size: bytes.byteLength,
  digest: Array.from(new Sha256().update(bytes).digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  filename,
})

/** Including the dot; empty for unknown media types. */
function extensionOf(mediaType: string): string {
  const extension = mime.getExtension(mediaType)
  return extension === null ? '' : `.${extension}`
}

/** The same, with the start of the original text. */
const dataUriMetadata = (bytes: Uint8Array, prefix: string, mediaType: string) => ({
  ...metadataOf(bytes, mediaType, `content${extensionOf(mediaType)}`),
  content_type: 'data_url:base64',
  input_type: 'str',
  encoding: 'base64',
  metadata: { data_uri_prefix: prefix },
})
