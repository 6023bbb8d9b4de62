import { Command } from 'commander'
import { createApp } from '../app.ts'
import { ConfigError, type ConfigOverrides, loadConfig, unknownSettings } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import { type HttpListener, listen } from '../http/http-listener.ts'
import { limits, MiB } from '../limits.ts'
import { createLog } from '../log.ts'
import { sleep } from '../platform/event-loop.ts'
import { absolutePath } from '../platform/paths.ts'
import { environmentNames, exit, onTerminationSignal, onUncaughtError, writeStdout } from '../platform/runtime.ts'
import { callsTable } from '../tables/calls-table.ts'
import { version } from '../version.ts'

/** `serve`: runs the server until it is told to stop. */
export const serveCommand = (): Command =>
  new Command('serve')
    .description('run the server')
    .option('--host <address>', 'address to listen on (TRACELAKE_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (TRACELAKE_PORT, default 8470)')
    .option('--data <folder>', 'folder that holds everything (TRACELAKE_DATA, default ./data)')
    .option('--dialect <name>', 'ext or weave: how members are named on the wire (TRACELAKE_DIALECT, default ext)')
    .addHelpText('after', moreSettings)
    .action(serve)

const moreSettings = `
Set only by environment variables:
  TRACELAKE_ADMIN_KEY        admin key to use instead of the one that the first start makes
  TRACELAKE_LOG_LEVEL        debug, info, warn, error or silent (info)
  TRACELAKE_MAX_BODY_MB      largest request body in MiB (32)
  TRACELAKE_MAX_FILE_MB      largest file that can be uploaded in MiB (4096)
  TRACELAKE_QUERY_TIMEOUT_S  seconds that one query may run (60)
  TRACELAKE_MEMORY_MB        memory for queries and recent calls in MiB; beyond it they spill to disk (1024)
  TRACELAKE_MODEL_CATALOG    JSON file with models to add to the list of models, or to correct in it (none)
  TRACELAKE_PRIVATE_HOSTS    private hosts that custom model providers may be at, with commas between; * for all (none)
  TRACELAKE_TRUSTED_PROXIES  proxies (addresses, or networks as 10.0.0.0/8, with commas between) whose X-Forwarded-For says who
                             sends wrong keys (none)
  TRACELAKE_SECRETS_KEY_FILE key that "secrets set" encrypts with (beside the data folder: DATA.secrets-key)
  TRACELAKE_LOG_RETENTION_H  hours that commits of the Delta logs stay after a checkpoint holds them (24)
  TRACELAKE_LIVE_CLIENTS     live tails at a time (64)
  TRACELAKE_LIVE_PER_KEY     how many of them one key may have (a quarter)
  TRACELAKE_LIVE_EVENTS      events of a project that a slow live tail may be behind (10000)
  TRACELAKE_METRICS          key or open: whether /metrics needs a key (key)
  TRACELAKE_OTLP_ENDPOINT    collector for traces of the server itself, for example http://127.0.0.1:4318 (none)
  TRACELAKE_REDACT           on or off: replace credentials in inputs and attributes before storing (on)
  TRACELAKE_EXTRACT_CONTENTS on or off: keep long base64 contents in inputs and outputs as files (on)
  TRACELAKE_<NAME>_BASE_URL  address of a model provider, for example TRACELAKE_OPENAI_BASE_URL (the provider's own)`

async function serve(options: ConfigOverrides): Promise<void> {
  const config = loadConfig(options)
  const log = createLog(config.logLevel)
  for (const variable of unknownSettings(environmentNames()))
    log.warn({ variable }, 'this variable sets nothing; "tracelake serve --help" lists those that do')
  const context = await openContext(config, log)
  // Before anything else can fail: nobody can show this key again.
  const key = context.services.access.firstAdminKey
  if (key !== undefined) writeStdout(`Admin key, shown this once: ${key}\n`)
  const listener = await listenOrClose(context, () =>
    listen({
      host: config.host,
      port: config.port,
      ...createApp(context),
      // Above our own limit, so that our own, clearer answer comes first.
      bodyBytesMax: Math.max(config.bodyBytesMax, config.fileBytesMax) + 16 * MiB,
      idleSeconds: limits.connectionIdleSeconds,
      requestsMax: limits.requestsMax,
    }),
  )
  onUncaughtError((err) => log.error({ err }, 'uncaught error'))
  context.store.onLost(() => void leave(context, listener))
  onTerminationSignal((signal) => void stop(signal, context, listener))
  // Last: whoever waits for this line may already stop the server.
  writeStdout(`${startLine(context, listener)}\n`)
}

async function listenOrClose(context: Context, start: () => HttpListener): Promise<HttpListener> {
  try {
    return start()
  } catch (cause) {
    await context.close()
    const { host, port } = context.config
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`Listen on ${host}:${port}: ${why}; choose others with --host and --port`, { cause })
  }
}

function startLine({ store, config, services }: Context, { url }: HttpListener): string {
  const { fileBytes, files } = store.size
  const size = `${(fileBytes / MiB).toFixed(1)} MiB in ${files} files, ${store.rowsOf(callsTable.name).toLocaleString('en-US')} calls`
  const line = `tracelake ${version} listening on ${url} · data in ${absolutePath(config.data)} (${size})`
  const hint = services.access.firstAdminKey === undefined ? '' : `\nTry: curl -u api:KEY ${url}/server_info`
  return line + hint
}

/** Ends without writing anything: the folder may be another server's. Questions under way, and somebody who asks why, have a moment. */
async function leave({ services, log }: Context, listener: HttpListener): Promise<void> {
  services.live.close()
  await sleep(limits.lostFolderGraceMs)
  await listener
    .stop(limits.lostFolderGraceMs)
    .catch((err: unknown) => log.error({ err }, 'closing connections failed'))
  exit(1)
}

async function stop(signal: string, context: Context, listener: HttpListener): Promise<void> {
  const { log } = context
  log.info({ signal }, 'stopping: finishing requests, then writing what is in memory')
  try {
    // Streams without an end would hold up the rest.
    context.services.live.close()
    await listener.stop(limits.drainMs)
    await context.close()
    log.info('stopped')
    exit(0)
  } catch (err) {
    log.error({ err }, 'stopping failed; what was accepted is in the log and comes back at the next start')
    exit(1)
  }
}
