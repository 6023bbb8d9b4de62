import {
  type handleUnaryCall,
  logVerbosity,
  Metadata,
  ResponderBuilder,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  ServerListenerBuilder,
  setLogVerbosity,
  status,
} from '@grpc/grpc-js'
import { requestLimits } from '../../lib/limits/requests.ts'
import { present } from '../../lib/present.ts'
import { type GrpcApp, type GrpcCall, GrpcFailure } from './grpc-call.ts'

/** A listening gRPC server, the same on Bun and Deno. */
export interface GrpcListener {
  /** Address with the port, for example `127.0.0.1:4317`. */
  readonly address: string
  /** Stops accepting calls, waits up to `graceMs` for those in progress, then cancels the rest. */
  stop(graceMs: number): Promise<void>
}

export interface GrpcListenOptions {
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  readonly app: GrpcApp
  /** Maximum size of a message, compressed and decompressed. */
  readonly messageBytesMax: number
}

// It would print to the console what it also returns as errors.
setLogVerbosity(logVerbosity.NONE)

/** @throws Error if the address is in use or does not exist */
export async function listenGrpc({ host, port, app, messageBytesMax }: GrpcListenOptions): Promise<GrpcListener> {
  const entered = new WeakMap<Metadata, GrpcCall>()
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_concurrent_streams': requestLimits.grpcStreamsPerConnectionMax,
    // Notices peers that are gone, so that dead connections do not pile up.
    'grpc.keepalive_time_ms': requestLimits.grpcKeepaliveMs,
    interceptors: [({ path }, call) => intercept(path, call, app, entered)],
  })
  const handle: handleUnaryCall<Buffer, Buffer> = (call, answer) => {
    present(entered.get(call.metadata), 'The call of a message')
      .answer(call.request, () => call.cancelled)
      .then(
        ({ buffer, byteOffset, byteLength }) => answer(null, Buffer.from(buffer, byteOffset, byteLength)),
        (error: unknown) => answer(statusOf(error)),
      )
  }
  for (const path of app.paths) server.register(path, handle, asIs, asIs, 'unary')
  const name = host.includes(':') ? `[${host}]` : host
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${name}:${port}`, ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(listenError(error)) : resolve(at),
    )
  })
  return {
    address: `${name}:${bound}`,
    stop: async (graceMs) => {
      const timer = setTimeout(() => server.forceShutdown(), graceMs)
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
      clearTimeout(timer)
    },
  }
}

/** The library states the codes of its attempts only in the text of its own error. */
const listenError = (error: Error): Error =>
  error.message.includes('EADDRINUSE') ? new Error('the port is in use') : error

const asIs = (bytes: Buffer): Buffer => bytes

/**
 * Asks the application about a call before its message is read: until then, flow control keeps the
 * client from sending more than the first few kilobytes.
 */
function intercept(
  path: string,
  received: ServerInterceptingCallInterface,
  app: GrpcApp,
  entered: WeakMap<Metadata, GrpcCall>,
): ServerInterceptingCall {
  let isOver = false
  let call: GrpcCall | undefined
  let late: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    isOver = true
    clearTimeout(late)
    call?.leave()
    call = undefined
  }
  const fail = (error: unknown) => {
    if (isOver) return
    leave()
    received.sendStatus(statusOf(error))
  }
  const listener = new ServerListenerBuilder()
    .withOnReceiveMetadata((metadata, next) => {
      const request = { path, headers: headersOf(metadata), authority: received.getHost(), ip: addressOf(received) }
      app.enter(request).then((allowed) => {
        if (isOver) return allowed.leave()
        call = allowed
        entered.set(metadata, allowed)
        late = setTimeout(() => fail(tooSlow), requestLimits.grpcReceiveMs)
        next(metadata)
      }, fail)
    })
    .withOnReceiveMessage((message, next) => {
      clearTimeout(late)
      next(message)
    })
    .withOnCancel(leave)
    .build()
  const responder = new ResponderBuilder()
    .withStart((next) => next(listener))
    .withSendStatus((sent, next) => {
      leave()
      next(sent)
    })
    .build()
  return new ServerInterceptingCall(received, responder)
}

const tooSlow = new GrpcFailure(status.DEADLINE_EXCEEDED, 'The message did not arrive in time')

function statusOf(error: unknown): { code: number; details: string; metadata: Metadata } {
  const metadata = new Metadata()
  // Anything else is a programming error, whose message is not for the client.
  if (!(error instanceof GrpcFailure)) return { code: status.INTERNAL, details: 'Internal server error', metadata }
  if (error.details !== undefined) metadata.set('grpc-status-details-bin', Buffer.from(error.details))
  return { code: error.code, details: error.message, metadata }
}

function headersOf(metadata: Metadata): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(metadata.getMap())) {
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

const addressOf = (call: ServerInterceptingCallInterface): string => call.getPeer().replace(/:\d+$/, '')
