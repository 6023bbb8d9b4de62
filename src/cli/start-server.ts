import { callsTable } from '../engine/tables/calls-table.ts'
import { MiB } from '../lib/bytes.ts'
import { requestLimits } from '../lib/limits/requests.ts'
import { toolLimits } from '../lib/limits/tools.ts'
import { version } from '../lib/version.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { GrpcApp } from '../runtime/http/grpc-call.ts'
import type { GrpcListener } from '../runtime/http/grpc-listener.ts'
import { type HttpListener, type ListenOptions, listen } from '../runtime/http/http-listener.ts'
import type { Log } from '../runtime/log.ts'
import { delay } from '../runtime/platform/event-loop.ts'
import { absolutePath } from '../runtime/platform/files/paths.ts'
import { exit, onTerminationSignal, onUncaughtError } from '../runtime/platform/runtime.ts'
import { createApp } from '../server/app.ts'
import { type Context, openContext } from '../server/context.ts'

/** The port on which exporters expect OTLP over gRPC. */
const usualPort = 4317

/**
 * Listens for gRPC as configured. If no port was asked for and the usual one cannot be had, the
 * server runs without gRPC, or on any free port if `isAnyPortFine`: another collector on the
 * machine must not keep it from starting.
 *
 * @throws Error if the configured address is in use or does not exist
 */
export async function openGrpc(
  { host, grpcPort, bodyBytesMax }: Config,
  app: GrpcApp,
  log: Log,
  { isAnyPortFine = false }: { readonly isAnyPortFine?: boolean } = {},
): Promise<GrpcListener | undefined> {
  if (grpcPort === 'off') return undefined
  // Imported lazily: it takes time to load.
  const { listenGrpc } = await import('../runtime/http/grpc-listener.ts')
  const listenOn = (port: number) => listenGrpc({ host, port, app, messageBytesMax: bodyBytesMax })
  if (grpcPort !== 'auto') return await listenOn(grpcPort)
  try {
    return await listenOn(usualPort)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const outcome = isAnyPortFine ? 'gRPC takes any free port' : 'gRPC is off'
    log.warn({ port: usualPort }, `${outcome} (port ${usualPort}: ${why}); --grpc-port chooses one`)
    return isAnyPortFine ? await listenOn(0) : undefined
  }
}

export interface StartOptions {
  /** Listen on any free port if the configured one is in use. */
  readonly isAnyPortFine?: boolean
  /** The same for gRPC if no port is configured for it. */
  readonly isAnyGrpcPortFine?: boolean
  /** Runs after the server has stopped, before the process exits. */
  readonly afterStop?: () => Promise<void>
}

export interface RunningServer {
  readonly context: Context
  /** The address for a browser on this machine, unless a public one is configured. */
  readonly address: string
  /** Where the server listens and what it holds now, as one line. */
  readonly describe: () => string
}

/**
 * Starts the server of `serve`, which runs until a signal stops it.
 *
 * @throws ConfigError if it cannot listen on the configured address
 */
export async function startServer(
  config: Config,
  log: Log,
  onOpen: (context: Context) => void,
  options: StartOptions = {},
): Promise<RunningServer> {
  const context = await openContext(config, log)
  onOpen(context)
  const { grpc, announceGrpc, ...app } = createApp(context)
  const close = () => context.close()
  const listener = await listenOrClose(config, '--port', close, async () => {
    try {
      return listenHttp(config, app)
    } catch (cause) {
      if (options.isAnyPortFine !== true) throw cause
      return listenHttp({ ...config, port: 0 }, app)
    }
  })
  const closeBoth = async () => {
    await listener.stop(0)
    await close()
  }
  const grpcListener = await listenOrClose(config, '--grpc-port', closeBoth, () =>
    openGrpc(config, grpc, log, { isAnyPortFine: options.isAnyGrpcPortFine === true }),
  )
  if (grpcListener !== undefined) announceGrpc(grpcListener.address)
  const listeners = { listener, grpcListener }
  onUncaughtError((err) => log.error({ err }, 'uncaught error'))
  context.store.onLost(() => void leave(context, listeners))
  onTerminationSignal((signal) => void stop(signal, context, listeners, options.afterStop))
  const address = browserAddress(config, listener)
  await context.store.announce(address)
  context.store.replayLogs()
  return { context, address, describe: () => description(context, listeners, absolutePath(config.data)) }
}

/** @throws Error if the configured address is in use or does not exist */
export const listenHttp = (
  { host, port, bodyBytesMax, fileBytesMax }: Config,
  app: Pick<ListenOptions, 'fetch' | 'toErrorResponse'>,
): HttpListener =>
  listen({
    host,
    port,
    ...app,
    // Above our own limit, so that our own, clearer error comes first.
    bodyBytesMax: Math.max(bodyBytesMax, fileBytesMax) + 16 * MiB,
    idleSeconds: requestLimits.connectionIdleSeconds,
    requestsMax: requestLimits.requestsMax,
  })

/** Where a server listens. */
export interface Listeners {
  readonly listener: HttpListener
  readonly grpcListener: GrpcListener | undefined
}

/** The address of the server for a browser on this machine, unless a public one is configured. */
export function browserAddress({ publicUrl, basePath, host }: Config, { url }: HttpListener): string {
  if (publicUrl !== undefined) return publicUrl
  const address = new URL(url)
  if (host === '0.0.0.0' || host === '::') address.hostname = '127.0.0.1'
  return address.origin + basePath
}

/** @throws ConfigError, after `close`, if it cannot listen */
export async function listenOrClose<T>(
  { host, port, grpcPort }: Config,
  option: '--port' | '--grpc-port',
  close: () => Promise<void>,
  start: () => T | Promise<T>,
): Promise<T> {
  try {
    return await start()
  } catch (cause) {
    await close()
    const address = `${host}:${option === '--port' ? port : grpcPort}`
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`Cannot listen on ${address}: ${why}; choose another address with --host and ${option}`, {
      cause,
    })
  }
}

export const addressesOf = ({ listener, grpcListener }: Listeners): string =>
  listener.url + (grpcListener === undefined ? '' : ` · gRPC on ${grpcListener.address}`)

/**
 * Where a server listens and what it holds now, as one line.
 *
 * @param place of the data
 */
export function description({ store, services }: Context, listeners: Listeners, place: string): string {
  const { fileBytes, files } = store.size
  const size =
    `${(fileBytes / MiB).toFixed(1)} MiB in ${files} files, ` +
    `${store.rowsOf(callsTable.name).toLocaleString('en-US')} calls`
  const line = `tracelake ${version} listening on ${addressesOf(listeners)} · data in ${place} (${size})`
  const { url } = listeners.listener
  const hint = services.access.firstAdminKey === undefined ? '' : `\nTry: curl -u api:KEY ${url}/server_info`
  return line + hint
}

/**
 * Exits without writing, because the folder may now belong to another server. Queries in progress
 * get a moment to finish, and health checks to see the reason.
 */
async function leave({ services, log }: Context, listeners: Listeners): Promise<void> {
  services.live.close()
  await delay(toolLimits.lostFolderGraceMs)
  await stopListening(listeners, toolLimits.lostFolderGraceMs).catch((err: unknown) =>
    log.error({ err }, 'could not close connections'),
  )
  exit(1)
}

async function stop(
  signal: string,
  context: Context,
  listeners: Listeners,
  afterStop: StartOptions['afterStop'],
): Promise<void> {
  const { log } = context
  log.info({ signal }, 'shutting down: draining requests, then flushing memtables')
  try {
    // Endless streams would hold up the shutdown.
    context.services.live.close()
    await stopListening(listeners, toolLimits.drainMs)
    await context.close()
    await afterStop?.()
    log.info('stopped')
    exit(0)
  } catch (err) {
    log.error(
      { err },
      'shutdown failed; accepted writes are in the write-ahead log and will be replayed at the next start',
    )
    exit(1)
  }
}

export async function stopListening({ listener, grpcListener }: Listeners, graceMs: number): Promise<void> {
  await Promise.all([listener.stop(graceMs), grpcListener?.stop(graceMs)])
}
