import { AwsV4Signer } from 'aws4fetch'
import { objectLimits } from '../../lib/limits/objects.ts'
import { systemOutboundHttp } from '../http/outbound-http.ts'
import { wholeAnswer } from './answers.ts'
import type { AwsCredentials } from './aws-surroundings.ts'
import {
  assertObjectName,
  type ByteRange,
  isObjectError,
  type ObjectInfo,
  type ObjectStore,
  ObjectStoreError,
  type PutCondition,
  type StoredObject,
  type Waitable,
} from './object-store.ts'
import type { RequestCounts, RequestKind } from './request-counts.ts'
import { type RetryPace, systemPace, withRetries } from './retrying-store.ts'
import { errorOfAnswer, errorOfSilence } from './s3-errors.ts'
import { listedObjects } from './s3-listing.ts'
import { type S3Place, s3Url } from './s3-place.ts'
import type { S3Answer, S3Request } from './s3-request.ts'
import { MultipartUpload, type Part, partsOf } from './s3-upload.ts'

/** Objects in a bucket of S3, or of a store that speaks like it. */
export class S3Store implements ObjectStore {
  readonly place: string
  private readonly at: S3Place
  private readonly credentials: () => Promise<AwsCredentials>
  private readonly send: typeof systemOutboundHttp.fetch
  private readonly pace: RetryPace
  private readonly counts: RequestCounts | undefined
  /** Keys derived from the secret, one a day. */
  private readonly derivedKeys = new Map<string, ArrayBuffer>()

  constructor(options: {
    readonly place: S3Place
    readonly credentials: () => Promise<AwsCredentials>
    readonly send?: typeof systemOutboundHttp.fetch
    readonly pace?: RetryPace
    readonly counts?: RequestCounts | undefined
  }) {
    this.at = options.place
    this.credentials = options.credentials
    this.send = options.send ?? systemOutboundHttp.fetch
    this.pace = options.pace ?? systemPace
    this.counts = options.counts
    this.place = `s3://${this.at.bucket}/${this.at.prefix}`.replace(/\/$/, '')
  }

  async get(
    name: string,
    { range, signal }: Waitable & { readonly range?: ByteRange | undefined } = {},
  ): Promise<StoredObject> {
    const headers = range && { range: `bytes=${range.start}-${range.start + range.length - 1}` }
    const answer = await this.request({ method: 'GET', name, verb: 'read', signal, ...(headers && { headers }) })
    if (range !== undefined && answer.status !== 206)
      throw new ObjectStoreError('unsupported', `Cannot read a part of ${this.place}/${name}: the store sent all of it`)
    return { bytes: answer.bytes, tag: this.tagOf(name, answer) }
  }

  async head(name: string, { signal }: Waitable = {}): Promise<ObjectInfo | undefined> {
    try {
      const answer = await this.request({ method: 'HEAD', name, verb: 'look up', signal })
      return { name, bytes: Number(answer.headers.get('content-length')), tag: this.tagOf(name, answer) }
    } catch (cause) {
      if (isObjectError(cause, 'absent')) return undefined
      throw cause
    }
  }

  async put(
    name: string,
    bytes: Uint8Array,
    { when, signal }: Waitable & { readonly when?: PutCondition | undefined } = {},
  ): Promise<string> {
    try {
      const headers = conditionHeaders(when)
      const answer = await this.request({ method: 'PUT', name, verb: 'write', headers, body: bytes, signal })
      return this.tagOf(name, answer)
    } catch (cause) {
      // There is nothing to match any more.
      if (when !== undefined && isObjectError(cause, 'absent'))
        throw new ObjectStoreError('lost-race', cause.message, { cause })
      throw cause
    }
  }

  async putLarge(name: string, pieces: AsyncIterable<Uint8Array>, { signal }: Waitable = {}): Promise<string> {
    const retried = <T>(attempt: () => Promise<T>) => withRetries(this.pace, signal, attempt)
    let upload: MultipartUpload | undefined
    let last: Part | undefined
    try {
      for await (const part of partsOf(pieces, objectLimits.partBytes)) {
        last = part
        if (part.isLast && upload === undefined) break
        upload ??= new MultipartUpload(this, name, await retried(() => MultipartUpload.begin(this, name)))
        const begun: MultipartUpload = upload
        await retried(() => begun.send(part))
      }
      const begun = upload
      if (begun !== undefined) return await retried(() => this.completed(begun, name, signal))
    } catch (cause) {
      // Parts that stay cost money; the lifecycle rule of the bucket removes those of a crash.
      await upload?.abort().catch(() => {})
      throw cause
    }
    return await retried(() => this.put(name, last?.bytes ?? new Uint8Array(), { signal }))
  }

  /** If the answer of an earlier attempt was lost, the upload is gone, and the object is there. */
  private async completed(upload: MultipartUpload, name: string, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await upload.complete()
    } catch (cause) {
      const made = isObjectError(cause, 'absent') ? await this.head(name, { signal }) : undefined
      if (made === undefined) throw cause
      return made.tag
    }
  }

  async delete(name: string, { signal }: Waitable = {}): Promise<void> {
    try {
      await this.request({ method: 'DELETE', name, verb: 'delete', signal })
    } catch (cause) {
      if (!isObjectError(cause, 'absent')) throw cause
    }
  }

  async *list(
    prefix: string,
    { after, signal }: Waitable & { readonly after?: string | undefined } = {},
  ): AsyncGenerator<ObjectInfo> {
    const start: Record<string, string> = after === undefined ? {} : { 'start-after': this.at.prefix + after }
    for (let more: string | undefined; ; ) {
      const answer = await this.request({
        method: 'GET',
        name: undefined,
        verb: `list "${prefix}"`,
        query: {
          'list-type': '2',
          'encoding-type': 'url',
          'max-keys': String(objectLimits.listedAtOnce),
          prefix: this.at.prefix + prefix,
          ...(more === undefined ? start : { 'continuation-token': more }),
        },
        signal,
      })
      const { objects, next } = listedObjects(textOf(answer), this.at.prefix)
      yield* objects
      if (next === undefined) return
      more = next
    }
  }

  /** @throws ObjectStoreError unless the answer is a success */
  async request(request: S3Request): Promise<S3Answer> {
    const kind = kindOf(request)
    const sent = request.body?.length ?? 0
    try {
      const answer = await this.attempt(request)
      this.counts?.add(kind, { sent, received: answer.bytes.length })
      return answer
    } catch (cause) {
      const isFailure = !isObjectError(cause, 'absent') && !isObjectError(cause, 'lost-race')
      this.counts?.add(kind, { sent, isFailure })
      throw cause
    }
  }

  private async attempt(request: S3Request): Promise<S3Answer> {
    const { method, name, verb, query = {}, body } = request
    if (name !== undefined) assertObjectName(name)
    const action = `${verb} ${this.place}${name === undefined ? '' : `/${name}`}`
    const credentials = await this.credentials()
    const url = s3Url(this.at, name === undefined ? '' : this.at.prefix + name)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.toString(),
      headers: { ...request.headers },
      ...credentials,
      service: 's3',
      region: this.at.region,
      cache: this.derivedKeys,
    }).sign()
    const patienceMs = objectLimits.attemptMs + (body?.length ?? 0) * (objectLimits.attemptMsPerMiB / 2 ** 20)
    const late = AbortSignal.timeout(patienceMs)
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal])
    try {
      const sent = { method, headers: signed.headers, signal, ...(body !== undefined && { body }) }
      const answer = await this.send(signed.url.toString(), sent)
      if (!answer.ok) throw await errorOfAnswer(action, answer, this.at)
      return {
        status: answer.status,
        headers: answer.headers,
        bytes: method === 'HEAD' ? new Uint8Array() : await wholeAnswer(answer),
      }
    } catch (cause) {
      if (cause instanceof ObjectStoreError) throw cause
      throw errorOfSilence(action, cause, this.at)
    }
  }

  private tagOf(name: string, { headers }: S3Answer): string {
    const tag = headers.get('etag')
    if (tag !== null) return tag
    throw new ObjectStoreError('unsupported', `Cannot use ${this.place}/${name}: the store sends no ETag`)
  }
}

function kindOf({ method, name }: S3Request): RequestKind {
  if (method === 'GET') return name === undefined ? 'list' : 'get'
  if (method === 'HEAD') return 'head'
  return method === 'DELETE' ? 'delete' : 'put'
}

const textOf = ({ bytes }: S3Answer): string => new TextDecoder().decode(bytes)

function conditionHeaders(when: PutCondition | undefined): Record<string, string> {
  if (when === undefined) return {}
  return 'ifAbsent' in when ? { 'if-none-match': '*' } : { 'if-match': when.ifMatch }
}
