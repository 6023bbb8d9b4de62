import { Command } from 'commander'
import { createApp } from '../app.ts'
import { type Config, ConfigError, type ConfigOverrides, loadConfig, unknownSettings } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import type { GrpcListener } from '../http/grpc-listener.ts'
import { type HttpListener, listen } from '../http/http-listener.ts'
import { limits, MiB } from '../limits.ts'
import { createLog } from '../log.ts'
import { delay } from '../platform/event-loop.ts'
import { absolutePath } from '../platform/paths.ts'
import { environmentNames, exit, onTerminationSignal, onUncaughtError, writeStdout } from '../platform/runtime.ts'
import { callsTable } from '../tables/calls-table.ts'
import { version } from '../version.ts'
import { loginLink } from './login-link.ts'
import { openGrpc } from './open-grpc.ts'

/** `serve`: runs the server until it is stopped. */
export const serveCommand = (): Command =>
  new Command('serve')
    .description('run the server')
    .option('--host <address>', 'address to listen on (TRACELAKE_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (TRACELAKE_PORT, default 8470)')
    .option(
      '--grpc-port <number>',
      'port for OpenTelemetry over gRPC, 0 for any free one, off for none (TRACELAKE_GRPC_PORT, default 4317 if free)',
    )
    .option(
      '--local',
      'accept OpenTelemetry from this machine without an API key, into default/<service.name> (TRACELAKE_LOCAL=on)',
    )
    .option('--base-path <path>', 'path behind a proxy, such as /tracelake (TRACELAKE_BASE_PATH, default /)')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .option(
      '--dialect <name>',
      'API dialect, ext or weave (TRACELAKE_DIALECT, default ext); choose weave for W&B Weave SDKs',
    )
    .addHelpText('after', moreSettings)
    .action(serve)

const moreSettings = `
Environment variables without an option:
  TRACELAKE_ADMIN_KEY        admin key to use instead of the one created at the first start
  TRACELAKE_LOG_LEVEL        debug, info, warn, error or silent (info)
  TRACELAKE_MAX_BODY_MB      maximum size of a request body in MiB (32)
  TRACELAKE_MAX_FILE_MB      maximum size of an uploaded file in MiB (4096)
  TRACELAKE_QUERY_TIMEOUT_S  time limit of a query in seconds (60)
  TRACELAKE_MEMORY_MB        memory for queries and recent rows in MiB; DuckDB spills to disk beyond it (1024)
  TRACELAKE_MODEL_CATALOG    JSON file with models to add to or correct in the model catalog (none)
  TRACELAKE_PRIVATE_HOSTS    comma-separated private hosts allowed for custom model providers; * for all (none)
  TRACELAKE_PUBLIC_URL       address that browsers use, for example https://traces.example.com/tracelake (none)
  TRACELAKE_TRUSTED_PROXIES  comma-separated addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For header
                             is trusted when invalid API keys are rate-limited by client address, and whose
                             X-Forwarded-Proto and X-Forwarded-Host name the address of the web UI (none)
  TRACELAKE_SECRETS_KEY_FILE file with the encryption key of the secrets (DATA.secrets-key, next to the data folder)
  TRACELAKE_LOG_RETENTION_H  hours to keep Delta log commits that are covered by a checkpoint (24)
  TRACELAKE_LIVE_CLIENTS     maximum number of concurrent live tails (64)
  TRACELAKE_LIVE_PER_KEY     maximum number per API key (a quarter of TRACELAKE_LIVE_CLIENTS)
  TRACELAKE_LIVE_EVENTS      events buffered per project for slow live tails (10000)
  TRACELAKE_METRICS          key or open: whether /metrics requires an API key (key)
  TRACELAKE_OTLP_ENDPOINT    collector for the server's own traces, for example http://127.0.0.1:4318 (none)
  TRACELAKE_REDACT           on or off: redact credentials in inputs and attributes before storing (on)
  TRACELAKE_EXTRACT_CONTENTS on or off: store long base64 content in inputs and outputs as files (on)
  TRACELAKE_<NAME>_BASE_URL  base URL of a model provider, for example TRACELAKE_OPENAI_BASE_URL (the provider's own)`

async function serve(options: ConfigOverrides): Promise<void> {
  const config = loadConfig(options)
  const log = createLog(config.logLevel)
  for (const variable of unknownSettings(environmentNames()))
    log.warn({ variable }, 'unknown environment variable; "tracelake serve --help" lists the known ones')
  const context = await openContext(config, log)
  // Before anything else can fail: the key cannot be shown again.
  const key = context.services.access.firstAdminKey
  if (key !== undefined) writeStdout(`Admin key (shown only once): ${key}\n`)
  const { grpc, ...app } = createApp(context)
  const listener = await listenOrClose(context, '--port', () =>
    listen({
      host: config.host,
      port: config.port,
      ...app,
      // Above our own limit, so that our own, clearer error comes first.
      bodyBytesMax: Math.max(config.bodyBytesMax, config.fileBytesMax) + 16 * MiB,
      idleSeconds: limits.connectionIdleSeconds,
      requestsMax: limits.requestsMax,
    }),
  )
  const grpcListener = await listenOrClose(context, '--grpc-port', () => openGrpc(config, grpc, log), listener)
  const listeners = { listener, grpcListener }
  onUncaughtError((err) => log.error({ err }, 'uncaught error'))
  context.store.onLost(() => void leave(context, listeners))
  onTerminationSignal((signal) => void stop(signal, context, listeners))
  const address = browserAddress(config, listener)
  await context.store.announce(address)
  const { access, logins } = context.services
  if (logins.sessions.isFirstStart && (await access.operator()) !== undefined)
    writeStdout(
      `Open the web UI (the link works once, for ten minutes): ${loginLink(address, await logins.links.create())}\n`,
    )
  // Last: a supervisor that waits for this line may stop the server right away.
  writeStdout(`${startLine(context, listeners)}\n`)
}

/** What the server listens with. */
interface Listeners {
  readonly listener: HttpListener
  readonly grpcListener: GrpcListener | undefined
}

/** The address of the server for a browser on this machine, unless a public one is configured. */
function browserAddress({ publicUrl, basePath, host }: Config, { url }: HttpListener): string {
  if (publicUrl !== undefined) return publicUrl
  const address = new URL(url)
  if (host === '0.0.0.0' || host === '::') address.hostname = '127.0.0.1'
  return address.origin + basePath
}

async function listenOrClose<T>(
  context: Context,
  option: '--port' | '--grpc-port',
  start: () => T | Promise<T>,
  listener?: HttpListener,
): Promise<T> {
  try {
    return await start()
  } catch (cause) {
    await listener?.stop(0)
    await context.close()
    const { host, port, grpcPort } = context.config
    const address = `${host}:${option === '--port' ? port : grpcPort}`
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`Cannot listen on ${address}: ${why}; choose another address with --host and ${option}`, {
      cause,
    })
  }
}

function startLine({ store, config, services }: Context, { listener: { url }, grpcListener }: Listeners): string {
  const { fileBytes, files } = store.size
  const size =
    `${(fileBytes / MiB).toFixed(1)} MiB in ${files} files, ` +
    `${store.rowsOf(callsTable.name).toLocaleString('en-US')} calls`
  const grpc = grpcListener === undefined ? '' : ` · gRPC on ${grpcListener.address}`
  const line = `tracelake ${version} listening on ${url}${grpc} · data in ${absolutePath(config.data)} (${size})`
  const hint = services.access.firstAdminKey === undefined ? '' : `\nTry: curl -u api:KEY ${url}/server_info`
  return line + hint
}

/**
 * Exits without writing, because the folder may now belong to another server. Queries in progress
 * get a moment to finish, and health checks to see the reason.
 */
async function leave({ services, log }: Context, listeners: Listeners): Promise<void> {
  services.live.close()
  await delay(limits.lostFolderGraceMs)
  await stopListening(listeners, limits.lostFolderGraceMs).catch((err: unknown) =>
    log.error({ err }, 'could not close connections'),
  )
  exit(1)
}

async function stop(signal: string, context: Context, listeners: Listeners): Promise<void> {
  const { log } = context
  log.info({ signal }, 'shutting down: draining requests, then flushing memtables')
  try {
    // Endless streams would hold up the shutdown.
    context.services.live.close()
    await stopListening(listeners, limits.drainMs)
    await context.close()
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

async function stopListening({ listener, grpcListener }: Listeners, graceMs: number): Promise<void> {
  await Promise.all([listener.stop(graceMs), grpcListener?.stop(graceMs)])
}
