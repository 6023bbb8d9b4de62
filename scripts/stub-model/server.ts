import { answerTo, type KnownAnswers } from './answer.ts'
import type { ChatRequest } from './chat-request.ts'
import { chunksOf, completionOf } from './completion.ts'
import { imagesFor } from './images.ts'
import { refusalOf, troubles } from './trouble.ts'

/** A request as the stub received it; for tests that look at what a provider would have seen. */
interface StubRequest {
  readonly path: string
  readonly headers: Headers
  /** Body as it was sent. */
  readonly text: string
  readonly body: Record<string, unknown>
  /** Whether the client was gone before the answer was complete. */
  isAborted: boolean
}

export interface StubModel {
  /** Base URL as clients of OpenAI take it, ending in `/v1`. */
  readonly url: string
  readonly requests: readonly StubRequest[]
  stop(): Promise<void>
}

interface StubOptions {
  readonly port?: number
  readonly answers?: KnownAnswers
  /** Waited for before each answer of a chat. */
  readonly hold?: () => Promise<void>
}

/**
 * Starts a provider with made-up models: the chat completions and images of OpenAI's API, always
 * with the same answers.
 */
export function startStubModel(options: StubOptions = {}): StubModel {
  const requests: StubRequest[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: options.port ?? 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/models'))
        return Response.json({ object: 'list', data: Object.keys(troubles).map(listed) })
      if (request.method !== 'POST') return notFound(pathname)
      const text = await request.text()
      const body = JSON.parse(text) as Record<string, unknown>
      const seen: StubRequest = { path: pathname, headers: request.headers, text, body, isAborted: false }
      requests.push(seen)
      request.signal.addEventListener('abort', () => {
        seen.isAborted = true
      })
      const refusal = refusalOf(String(body['model']), request.headers)
      if (refusal !== undefined) return refusal
      if (pathname.endsWith('/chat/completions')) await options.hold?.()
      if (pathname.endsWith('/chat/completions'))
        return await chat(body as unknown as ChatRequest, options.answers ?? {})
      if (pathname.endsWith('/images/generations')) return Response.json(imagesFor(body))
      return notFound(pathname)
    },
  })
  return { url: `http://127.0.0.1:${server.port}/v1`, requests, stop: () => server.stop(true) }
}

async function chat(request: ChatRequest, known: KnownAnswers): Promise<Response> {
  const answer = answerTo(request, known)
  const isSlow = request.model === 'stub-slow'
  if (request.stream === true) {
    const events = streamEvents([...chunksOf(request, answer)], isSlow, request.model === 'stub-broken')
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
  }
  if (isSlow) await Bun.sleep(10_000)
  return Response.json(completionOf(request, answer))
}

function streamEvents(chunks: readonly object[], isSlow: boolean, breaks: boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks[next++]
      if (isSlow) await Bun.sleep(1_000)
      if (breaks && next === 4) {
        controller.enqueue(encoder.encode('data: {"id": "chatcmpl-st'))
        return controller.close()
      }
      controller.enqueue(encoder.encode(`data: ${chunk === undefined ? '[DONE]' : JSON.stringify(chunk)}\n\n`))
      if (chunk === undefined) controller.close()
    },
  })
}

const listed = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'stub' })

const notFound = (path: string): Response =>
  Response.json({ error: { message: `Unknown path ${path}`, type: 'invalid_request_error' } }, { status: 404 })
