import { Command } from 'commander'
import type { Config, ConfigOverrides } from '../runtime/config/configuration.ts'
import { unknownSettings } from '../runtime/config/setting-names.ts'
import { loadConfig } from '../runtime/config.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { environmentNames, writeStdout } from '../runtime/platform/runtime.ts'
import type { Context } from '../server/context.ts'
import { loginLink } from './open.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** `serve`: runs the server until it is stopped. */
export const serveCommand = (): Command =>
  new Command('serve')
    .description('run the server')
    .option('--config <file>', 'JSON file with settings (TRACELAKE_CONFIG); options and variables override it')
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
    .option('--data <folder>', 'data folder, or the cache of a lake (TRACELAKE_DATA, default ./data)')
    .option(
      '--lake <address>',
      'keep the data in an object store: s3://<bucket>/<prefix>, or a folder (TRACELAKE_LAKE)',
    )
    .option('--endpoint <url>', 'address of a store other than Amazon S3 (AWS_ENDPOINT_URL_S3)')
    .option('--region <name>', 'region of the bucket (AWS_REGION)')
    .option('--addressing <style>', 'how the bucket is addressed: path or virtual (virtual for Amazon S3, else path)')
    .option('--cache-mb <size>', 'size of the cache of a lake in MiB (TRACELAKE_CACHE_MB, default 16384)')
    .option(
      '--dialect <name>',
      'API dialect, ext or weave (TRACELAKE_DIALECT, default ext); choose weave for W&B Weave SDKs',
    )
    .addHelpText('after', moreSettings)
    .action(serve)

const moreSettings = `
Environment variables without an option:
  TRACELAKE_ADMIN_KEY        admin key to use instead of the one created at the first start; TRACELAKE_ADMIN_KEY_FILE
                             names a file with it, and so does OPENAI_API_KEY_FILE for the key of a provider
  TRACELAKE_AUDIT            changes or all: whether the audit log also counts reads (changes)
  TRACELAKE_AUDIT_ADDRESS    on or off: record addresses of clients in the audit log (on)
  TRACELAKE_AUDIT_RETENTION_D  days to keep entries of the audit log, 0 for ever (365)
  TRACELAKE_CLICKHOUSE_URL   HTTP address of a ClickHouse server for searches of many texts (none)
  TRACELAKE_CLICKHOUSE_USER  its user (default)
  TRACELAKE_CLICKHOUSE_PASSWORD  password of the user (none)
  TRACELAKE_CLICKHOUSE_FROM_MB  MiB of data files from which on it is asked without being told to (4096)
  TRACELAKE_CLICKHOUSE_LOCATION  where ClickHouse finds the data folder (its absolute path) or the lake
  TRACELAKE_CLICKHOUSE_S3_KEY, TRACELAKE_CLICKHOUSE_S3_SECRET  its keys to the store of the lake (its own)
  TRACELAKE_GRPC_URL         address of gRPC behind a proxy, for example https://otlp.example.com (none)
  TRACELAKE_LOG_LEVEL        debug, info, warn, error or silent (info)
  TRACELAKE_MAX_BODY_MB      maximum size of a request body in MiB (32)
  TRACELAKE_MAX_FILE_MB      maximum size of an uploaded file in MiB (4096)
  TRACELAKE_QUERY_TIMEOUT_S  time limit of a query in seconds (60)
  TRACELAKE_MEMORY_MB        memory for queries and recent rows in MiB (a quarter of the memory of the machine or of the
                             container, from 128 to 1024); DuckDB spills to disk beyond it
  TRACELAKE_MODEL_CATALOG    JSON file with models to add to or correct in the model catalog (none)
  TRACELAKE_PRIVATE_HOSTS    comma-separated private hosts allowed for custom model providers; * for all (none)
  TRACELAKE_PUBLIC_URL       address that browsers use, for example https://traces.example.com/tracelake (none)
  TRACELAKE_TRUSTED_PROXIES  comma-separated addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For header
                             is trusted when invalid API keys are rate-limited by client address, and whose
                             X-Forwarded-Proto and X-Forwarded-Host name the address of the web UI (none)
  TRACELAKE_SECRETS_KEY_FILE file with the encryption key of the secrets (DATA.secrets-key, next to the data folder;
                             with --lake, its object secrets-key.json)
  TRACELAKE_MIN_FREE_MB      space on the disk, in MiB, below which writes are refused with 507; 0 for none (256, but
                             at most 5 % of the disk)
  TRACELAKE_COLD_FILE_MB     size of the files, in MiB, into which a table with hundreds of files merges those of days
                             that are over; 256 is a good one (0: none)
  TRACELAKE_LOG_RETENTION_H  hours to keep Delta log commits that are covered by a checkpoint (24)
  TRACELAKE_VERSIONS_KEPT_MIN  minutes for which old versions of a table can be read (5)
  TRACELAKE_LIVE_CLIENTS     maximum number of concurrent live tails (64)
  TRACELAKE_LIVE_PER_KEY     maximum number per API key (a quarter of TRACELAKE_LIVE_CLIENTS)
  TRACELAKE_LIVE_EVENTS      events buffered per project for slow live tails (10000)
  TRACELAKE_METRICS          key or open: whether /metrics requires an API key (key)
  TRACELAKE_OIDC_ISSUER      OpenID provider that users of the web UI may sign in through (none)
  TRACELAKE_OIDC_CLIENT_ID   id of this server with the provider
  TRACELAKE_OIDC_CLIENT_SECRET  secret of this server with the provider; ..._FILE names a file with it (none)
  TRACELAKE_OIDC_CLIENT_AUTH auto, basic or post: how the secret is sent to the provider (auto)
  TRACELAKE_OIDC_NAME        name of the provider on the login page (host of the issuer)
  TRACELAKE_OIDC_SCOPES      scopes to ask for, separated by spaces (openid profile email)
  TRACELAKE_OIDC_PARAMETERS  further parameters of the authorization request, for example access_type=offline (none)
  TRACELAKE_OIDC_GROUPS_CLAIM  claim with the groups of a user (groups)
  TRACELAKE_OIDC_ACCESS      what groups may do, for example "ml-team=write:acme, staff=read:*, ops=admin:*"
  TRACELAKE_OIDC_CHECK_S     seconds after which the groups of a session are read again (300)
  TRACELAKE_OIDC_SESSION_H   hours after which a session ends (12)
  TRACELAKE_OTLP_ENDPOINT    collector for the server's own traces, for example http://127.0.0.1:4318 (none)
  TRACELAKE_REDACT           on or off: redact credentials in inputs and attributes before storing (on)
  TRACELAKE_STRIP_LARGE      on or off: replace the largest parts of calls of more than 3.5 MiB by a mark (off)
  TRACELAKE_EXTRACT_CONTENTS on or off: store long base64 content in inputs and outputs as files (on)
  TRACELAKE_<NAME>_BASE_URL  base URL of a model provider, for example TRACELAKE_OPENAI_BASE_URL (the provider's own)`

async function serve(options: ConfigOverrides): Promise<void> {
  const config = loadConfig(options)
  const log = createLog(config.logLevel)
  for (const variable of unknownSettings(environmentNames()))
    log.warn({ variable }, 'unknown environment variable; "tracelake serve --help" lists the known ones')
  const { context, address, describe } = await start(config, log, ({ services }) => {
    // Before anything else can fail: the key cannot be shown again.
    const key = services.access.firstAdminKey
    if (key !== undefined) writeStdout(`Admin key (shown only once): ${key}\n`)
  })
  const { access, logins } = context.services
  if (logins.sessions.isFirstStart && (await access.operator()) !== undefined)
    writeStdout(
      `Open the web UI (the link works once, for ten minutes): ${loginLink(address, await logins.links.create())}\n`,
    )
  // Last: a supervisor that waits for this line may stop the server right away.
  writeStdout(`${describe()}\n`)
}

async function start(config: Config, log: Log, onOpen: (context: Context) => void): Promise<RunningServer> {
  if (config.lake === undefined) return await startServer(config, log, onOpen)
  // Imported lazily: few servers need it.
  const { startNode } = await import('./start-node.ts')
  return await startNode(config, config.lake, log, onOpen)
}
