import { isJsonObject } from '../../lib/json-value.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { CallWriter } from '../calls/index.ts'
import { ChunkAggregate } from './aggregate-chunks.ts'
import { chooseEndpoint, type EndpointDependencies } from './choose-endpoint.ts'
import type { Flight, InFlight } from './in-flight.ts'
import type { CompletionInputs, ProviderAnswer } from './model/completions.ts'
import { type PreparedCompletion, prepareCompletion } from './prepare.ts'
import type { ProviderClient } from './provider-client.ts'
import { answerIn, CompletionRefused, describeFailure, errorText, redactSecret } from './provider-error.ts'
import { type CallPlace, type TrackedCall, trackCall } from './track-call.ts'

type Json = Record<string, unknown>

/** A completion request in neutral form. */
export interface CompletionParams extends CallPlace {
  readonly inputs: CompletionInputs
  /** Whether to record the completion as a call. */
  readonly track: boolean
  /** Whether to repeat the request after errors of the provider that may pass; true by default. */
  readonly retries?: boolean
  /** Recorded with the call. */
  readonly attributes?: Record<string, unknown> | undefined
}

/** Ids of a recorded completion. */
export interface KeptCompletion {
  readonly callId: string
  readonly traceId: string
  readonly conversationId: string | null
}

/** Outcome of a request. Exactly one of `message` and `error` is set. */
export interface Completion {
  /** The unmodified response of the provider, or `{error}`. */
  readonly response: Json
  /** `choices[0].message` of the response. */
  readonly message?: Json
  readonly usage?: Json
  readonly error?: string
  /** Undefined if nothing was recorded. */
  readonly kept: KeptCompletion | undefined
}

/**
 * An element of a streamed response. `kept` comes first, if the completion is recorded; `error`
 * comes last.
 */
export type CompletionPiece =
  | { readonly kind: 'kept'; readonly kept: KeptCompletion }
  | { readonly kind: 'chunk'; readonly chunk: Json }
  | { readonly kind: 'error'; readonly error: string; readonly answer?: ProviderAnswer | undefined }

export interface CompletionDependencies extends EndpointDependencies {
  readonly client: ProviderClient
  readonly inFlight: InFlight
  readonly calls: CallWriter
  readonly clock: Clock
  /** Op name of recorded completions. */
  readonly opName: string
}

/**
 * Source and kind of calls that somebody makes to try a prompt, and their op, by which statistics
 * leave them out. See docs/decisions/257-runs-of-the-playground.md.
 */
const playground = 'playground'
const playgroundOp = 'playground.completion'

const chatPath = '/chat/completions'

/** Sends completion requests to model providers and records them as calls. */
export class Completions {
  private readonly dependencies: CompletionDependencies

  constructor(dependencies: CompletionDependencies) {
    this.dependencies = dependencies
  }

  /**
   * Why completions of a model cannot be sent, such as a provider without an API key; undefined if
   * they can. Nothing is sent.
   */
  async problemOf(reader: ProjectReader, model: string): Promise<string | undefined> {
    try {
      await chooseEndpoint(reader, { model }, this.dependencies)
      return undefined
    } catch (thrown) {
      if (thrown instanceof CompletionRefused) return thrown.message
      throw thrown
    }
  }

  /**
   * A single response. Provider errors are part of it and recorded with the call; anything that
   * prevents sending the request (no key, unknown provider, invalid prompt) is only in the
   * response.
   *
   * @throws DomainError InvalidRequest for ids, Overloaded, StoreUnavailable
   */
  async complete(
    writer: ProjectWriter,
    request: CompletionParams,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<Completion> {
    const prepared = await this.prepare(writer, request, false)
    if (typeof prepared === 'string') return completionIn({ error: prepared }, undefined, undefined)
    using flight = this.dependencies.inFlight.begin(signal, prepared.timeoutMs)
    const call = await this.track(writer, request)
    const answer = await this.ask(prepared, flight, request.retries ?? true)
    const completion = completionIn(answer, call && keptIn(call, request), prepared.endpoint.key)
    await call?.end({
      output: completion.error === undefined ? completion.response : null,
      exception: completion.error,
      usage: usageOf(request, completion.usage),
    })
    return completion
  }

  /**
   * The response as a stream. The call is ended however the stream ends, also if the reader stops.
   *
   * @throws DomainError as `complete`, before the first element
   */
  async *stream(
    writer: ProjectWriter,
    request: CompletionParams,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<CompletionPiece> {
    const prepared = await this.prepare(writer, request, true)
    if (typeof prepared === 'string') {
      yield { kind: 'error', error: prepared }
      return
    }
    const leaving = new AbortController()
    const left = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
    using flight = this.dependencies.inFlight.begin(left, prepared.timeoutMs)
    const call = await this.track(writer, request)
    const aggregate = new ChunkAggregate()
    let error: string | undefined
    let answer: ProviderAnswer | undefined
    let isOver = false
    try {
      if (call !== undefined) yield { kind: 'kept', kept: keptIn(call, request) }
      try {
        const { endpoint, body } = prepared
        const options = { signal: flight.signal, retries: request.retries ?? true }
        for await (const chunk of this.dependencies.client.stream(endpoint, chatPath, body, options)) {
          aggregate.add(chunk)
          yield { kind: 'chunk', chunk }
        }
        if (flight.interrupted() !== undefined || !aggregate.isComplete) throw new Error('the stream ended early')
      } catch (thrown) {
        error = failureText(thrown, prepared, flight)
        answer = answerIn(thrown, prepared.endpoint.key)
      }
      isOver = true
    } finally {
      if (!isOver) {
        leaving.abort()
        error = failureText(undefined, prepared, flight)
      }
      await call?.end({
        output: aggregate.isEmpty ? null : aggregate.completion(),
        exception: error,
        usage: usageOf(request, aggregate.usage),
      })
    }
    if (error !== undefined) yield { kind: 'error', error, answer }
  }

  private async prepare(
    writer: ProjectWriter,
    { inputs }: CompletionParams,
    isStream: boolean,
  ): Promise<PreparedCompletion | string> {
    try {
      const prepared = await prepareCompletion(writer, inputs, isStream, this.dependencies)
      await this.dependencies.client.requireAllowed(prepared.endpoint)
      return prepared
    } catch (thrown) {
      if (thrown instanceof CompletionRefused) return thrown.message
      throw thrown
    }
  }

  /** The provider's response, or `{error}`. */
  private async ask(prepared: PreparedCompletion, flight: Flight, retries: boolean): Promise<unknown> {
    try {
      return await this.dependencies.client.post(prepared.endpoint, chatPath, prepared.body, {
        signal: flight.signal,
        retries,
      })
    } catch (thrown) {
      return { error: failureText(thrown, prepared, flight) }
    }
  }

  private async track(writer: ProjectWriter, request: CompletionParams): Promise<TrackedCall | undefined> {
    if (!request.track) return undefined
    const { inputs, attributes = {} } = request
    const isTrial = attributes['source'] === playground
    return await trackCall(this.dependencies, writer, {
      opName: isTrial ? playgroundOp : this.dependencies.opName,
      inputs,
      attributes: isTrial ? { ...attributes, kind: playground } : attributes,
      place: request,
    })
  }
}

const keptIn = ({ callId, traceId }: TrackedCall, { conversationId }: CallPlace): KeptCompletion => ({
  callId,
  traceId,
  conversationId: conversationId ?? null,
})

/** Some providers report errors with status 200. */
function completionIn(answer: unknown, kept: KeptCompletion | undefined, secret: string | undefined): Completion {
  if (!isJsonObject(answer)) return { ...failure('The response of the provider is not a JSON object'), kept }
  if (answer['error'] != null) {
    return { ...failure(redactSecret(errorText(answer['error']) ?? 'The provider returned an error', secret)), kept }
  }
  const { choices, usage } = answer
  const [choice]: unknown[] = Array.isArray(choices) ? choices : []
  const message = isJsonObject(choice) ? choice['message'] : undefined
  if (!isJsonObject(message)) return { ...failure('The response of the provider contains no message'), kept }
  return { response: answer, message, ...(isJsonObject(usage) && { usage }), kept }
}

const failure = (error: string) => ({ response: { error }, error })

/**
 * Usage as recorded in calls: keyed by the requested model, which is the name used to look up
 * prices.
 */
const usageOf = ({ inputs }: CompletionParams, usage: unknown): Json | undefined =>
  isJsonObject(usage) ? { [inputs.model]: { requests: 1, ...usage } } : undefined

const failureText = (thrown: unknown, { endpoint, timeoutMs }: PreparedCompletion, flight: Flight): string =>
  describeFailure(thrown, {
    provider: endpoint.provider,
    secret: endpoint.key,
    interrupted: flight.interrupted(),
    timeoutMs,
  })
