import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObjectError } from '../../src/runtime/objects/object-store.ts'
import { SimulatedObjects } from './simulated-store.ts'

type Outcome = Response | 'lose the answer' | 'do nothing' | undefined

/** What happens to a request before, or instead of, the answer. */
export type Fault = (request: Request) => Outcome | Promise<Outcome>

/** As much of S3 as the client uses, in memory, with a bucket "lake"; keeps what it was asked. */
export class S3Server {
  readonly objects = new SimulatedObjects()
  readonly requests: string[] = []
  /** Before each answer. */
  delayMs = 0
  /** Names in a page of a listing: two, so that listings have several pages. */
  listedAtOnce = 2
  fault: Fault = () => undefined
  private readonly uploads = new Map<string, Map<number, Uint8Array>>()
  private readonly server = createServer((request, response) => void this.serve(request, response))
  private port = 0

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of incoming) pieces.push(piece)
    const { method = 'GET', url, headers } = incoming
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(Buffer.concat(pieces)) }
    const request = new Request(`${this.endpoint}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...body,
    })
    const answer = await this.answer(request)
    if (this.delayMs > 0) await Bun.sleep(this.delayMs)
    if (answer === 'none') return void response.destroy()
    const bytes = new Uint8Array(await answer.arrayBuffer())
    // The answer to HEAD says how long that to GET would be.
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      ...(answer.status !== 204 && { 'content-length': String(bytes.length) }),
    })
    response.end(method === 'HEAD' ? undefined : bytes)
  }

  private async answer(request: Request): Promise<Response | 'none'> {
    const url = new URL(request.url)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (!request.headers.get('authorization')?.startsWith('AWS4-HMAC-SHA256 ')) return refusal(403, 'AccessDenied')
    const fault = await this.fault(request)
    if (fault instanceof Response) return fault
    if (fault === 'do nothing') return 'none'
    const answer = await this.perform(request, url)
    return fault === undefined ? answer : 'none'
  }

  private async perform(request: Request, url: URL): Promise<Response> {
    const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? []
    if (bucket !== 'lake') return refusal(404, 'NoSuchBucket')
    const name = decodeURIComponent(key)
    try {
      switch (request.method) {
        case 'HEAD':
          return this.head(name)
        case 'GET':
          return name === '' ? this.list(url.searchParams) : this.get(name, request)
        case 'PUT':
          return await this.put(name, request, url.searchParams)
        case 'POST':
          return this.upload(name, url.searchParams)
        default:
          this.objects.run({ kind: 'delete', name })
          return new Response(null, { status: 204 })
      }
    } catch (cause) {
      if (isObjectError(cause, 'absent')) return refusal(404, 'NoSuchKey')
      if (isObjectError(cause, 'lost-race')) return refusal(412, 'PreconditionFailed')
      throw cause
    }
  }

  private head(name: string): Response {
    const found = this.objects.objects.get(name)
    if (found === undefined) return new Response(null, { status: 404 })
    return new Response(new Uint8Array(found.bytes), { headers: { etag: found.tag } })
  }

  private get(name: string, request: Request): Response {
    const { bytes, tag } = this.objects.run({ kind: 'get', name, range: undefined }) as {
      bytes: Uint8Array
      tag: string
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
    if (start === undefined) return new Response(new Uint8Array(bytes), { headers: { etag: tag } })
    const part = bytes.slice(Number(start), Number(end) + 1)
    return part.length === 0
      ? refusal(416, 'InvalidRange')
      : new Response(part, { status: 206, headers: { etag: tag } })
  }

  private async put(name: string, request: Request, query: URLSearchParams): Promise<Response> {
    const bytes = new Uint8Array(await request.arrayBuffer())
    const parts = this.uploads.get(query.get('uploadId') ?? '')
    if (query.has('uploadId')) {
      if (parts === undefined) return refusal(404, 'NoSuchUpload')
      parts.set(Number(query.get('partNumber')), bytes)
      return new Response(null, { headers: { etag: `"part-${query.get('partNumber')}"` } })
    }
    const match = request.headers.get('if-match')
    const ifAbsent = request.headers.get('if-none-match') === '*'
    const when = match !== null ? { ifMatch: match } : ifAbsent ? { ifAbsent: true as const } : undefined
    const tag = this.objects.run({ kind: 'put', name, bytes, when }) as string
    return new Response(null, { headers: { etag: tag } })
  }

  private upload(name: string, query: URLSearchParams): Response {
    if (query.has('uploads')) {
      const id = `upload-${this.uploads.size + 1}`
      this.uploads.set(id, new Map())
      return new Response(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const id = query.get('uploadId') ?? ''
    const parts = this.uploads.get(id)
    if (parts === undefined) return refusal(404, 'NoSuchUpload')
    const bytes = new Uint8Array(Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)))
    const tag = this.objects.run({ kind: 'put', name, bytes, when: undefined }) as string
    this.uploads.delete(id)
    return new Response(`<CompleteMultipartUploadResult><ETag>${tag}</ETag></CompleteMultipartUploadResult>`)
  }

  private list(query: URLSearchParams): Response {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const all = this.objects.run({ kind: 'list', prefix: query.get('prefix') ?? '', after }) as {
      name: string
      bytes: number
      tag: string
    }[]
    const page = all.slice(0, this.listedAtOnce)
    const entries = page.map(
      ({ name, bytes, tag }) =>
        `<Contents><Key>${encodeURIComponent(name)}</Key><LastModified>${new Date().toISOString()}</LastModified>` +
        `<Size>${bytes}</Size>` +
        `<ETag>${tag.replaceAll('"', '&quot;')}</ETag></Contents>`,
    )
    const isTruncated = all.length > page.length
    const token = isTruncated ? `<NextContinuationToken>${page.at(-1)?.name}</NextContinuationToken>` : ''
    return new Response(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${entries.join('')}</ListBucketResult>`,
    )
  }
}

export const refusal = (status: number, code: string, more = '', headers: Record<string, string> = {}): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>As &lt;asked&gt;</Message>${more}</Error>`, {
    status,
    headers,
  })
