import { isJsonObject } from '../../../lib/json-value.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { decodeBase64 } from '../../../runtime/platform/crypto.ts'
import type { ProjectWriter } from '../../access/index.ts'
import { type CallWriter, type ContentKeeping, ContentSink, keepContents } from '../../calls/index.ts'
import { chooseEndpoint, type EndpointDependencies } from '../choose-endpoint.ts'
import type { Endpoint } from '../endpoint.ts'
import type { InFlight } from '../in-flight.ts'
import type { ImageInputs } from '../model/completions.ts'
import { timeoutOf } from '../prepare.ts'
import type { ProviderClient } from '../provider-client.ts'
import { CompletionRefused, describeFailure, errorText, redactSecret } from '../provider-error.ts'
import { trackCall } from '../track-call.ts'

type Json = Record<string, unknown>

export interface ImageDependencies extends EndpointDependencies {
  readonly client: ProviderClient
  readonly inFlight: InFlight
  readonly calls: CallWriter
  readonly contents: ContentKeeping
  readonly clock: Clock
  /** Op name of recorded generations. */
  readonly opName: string
}

/** Outcome of a request: the provider's response or `{error}`, and the call that recorded it. */
export interface ImageOutcome {
  readonly response: Json
  readonly callId: string | null
}

/** Generates images with model providers. */
export class Images {
  private readonly dependencies: ImageDependencies

  constructor(dependencies: ImageDependencies) {
    this.dependencies = dependencies
  }

  /**
   * Generates images for a prompt. If the generation is recorded, the images are stored as files of
   * the project; otherwise the response is the provider's. Failures are part of the response, and
   * recorded with the call once the provider was contacted.
   *
   * @throws DomainError Overloaded, StoreUnavailable
   */
  async create(
    writer: ProjectWriter,
    { inputs, track }: { inputs: ImageInputs; track: boolean },
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<ImageOutcome> {
    const prepared = await this.prepare(writer, inputs)
    if (typeof prepared === 'string') return { response: { error: prepared }, callId: null }
    const { calls, clock, opName, inFlight } = this.dependencies
    using flight = inFlight.begin(signal, prepared.timeoutMs)
    const call = track
      ? await trackCall({ calls, clock }, writer, { opName, inputs, attributes: {}, place: {} })
      : undefined
    const response = await this.ask(writer, inputs, prepared, track, flight)
    const error = typeof response['error'] === 'string' ? response['error'] : undefined
    const { usage } = response
    await call?.end({
      output: error === undefined ? response : null,
      exception: error,
      usage: isJsonObject(usage) ? { [inputs.model]: { requests: 1, ...usage } } : undefined,
    })
    return { response, callId: call?.callId ?? null }
  }

  private async ask(
    writer: ProjectWriter,
    inputs: ImageInputs,
    { endpoint, timeoutMs }: Prepared,
    isKept: boolean,
    flight: ReturnType<InFlight['begin']>,
  ): Promise<Json> {
    const { client, contents } = this.dependencies
    try {
      const answer = await client.post(endpoint, '/images/generations', imageBody(inputs, endpoint), {
        signal: flight.signal,
      })
      if (!isJsonObject(answer)) throw new Error('it is not a JSON object')
      if (answer['error'] != null) {
        return { error: redactSecret(errorText(answer['error']) ?? 'The provider returned an error', endpoint.key) }
      }
      const { data } = answer
      if (!Array.isArray(data)) throw new Error('it contains no images')
      return isKept
        ? await keepImages(writer, { ...answer, data }, { contents, client, signal: flight.signal })
        : answer
    } catch (thrown) {
      const { provider, key: secret } = endpoint
      return { error: describeFailure(thrown, { provider, secret, interrupted: flight.interrupted(), timeoutMs }) }
    }
  }

  private async prepare(writer: ProjectWriter, inputs: ImageInputs): Promise<Prepared | string> {
    try {
      const timeoutMs = timeoutOf(inputs.timeout)
      const endpoint = await chooseEndpoint(writer, inputs, this.dependencies)
      await this.dependencies.client.requireAllowed(endpoint)
      return { endpoint, timeoutMs }
    } catch (thrown) {
      if (thrown instanceof CompletionRefused) return thrown.message
      throw thrown
    }
  }
}

interface Prepared {
  readonly endpoint: Endpoint
  readonly timeoutMs: number
}

const ownMembers: ReadonlySet<string> = new Set(['model', 'extra_headers', 'timeout', 'api_version', 'stream'])

/** The body sent to the provider. */
function imageBody(inputs: ImageInputs, { model }: Endpoint): Record<string, unknown> {
  const given = Object.entries(inputs).filter(([name, value]) => value !== null && !ownMembers.has(name))
  return {
    size: '1024x1024',
    // Older models return addresses that expire by default; newer ones always send the image and
    // reject the parameter.
    ...(model.startsWith('dall-e-') && { response_format: 'b64_json' }),
    ...Object.fromEntries(given),
    ...(model === 'dall-e-3' && { n: 1 }),
    model,
  }
}

/**
 * Stores the images of a response (`data[].b64_json`, `data[].url`) as files of the project and
 * replaces them by content objects that name the files; durable when this returns.
 *
 * @throws Error if an image is not base64 or cannot be downloaded; CompletionRefused if its address
 *   is not allowed
 */
async function keepImages(
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
