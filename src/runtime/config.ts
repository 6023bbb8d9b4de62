import { MiB } from '../lib/bytes.ts'
import { cacheLimits } from '../lib/limits/objects.ts'
import { readLimits } from '../lib/limits/reads.ts'
import { requestLimits } from '../lib/limits/requests.ts'
import { responseLimits } from '../lib/limits/responses.ts'
import { storageLimits } from '../lib/limits/storage.ts'
import { clickHouseSettings } from './config/clickhouse.ts'
import { ConfigError, filled, httpAddress, oneOf, wholeNumber } from './config/config-error.ts'
import type { Config, ConfigOverrides, DialectName, LakeSettings } from './config/configuration.ts'
import { memoryBytesOf } from './config/memory-setting.ts'
import { oidcSettings } from './config/oidc.ts'
import type { SettingName } from './config/setting-names.ts'
import { settingSource } from './config/setting-source.ts'
import { isLoopbackHost, TrustedProxies } from './platform/client-address.ts'
import { absolutePath } from './platform/files/paths.ts'
import { environmentVariable } from './platform/runtime.ts'

/** @throws ConfigError */
function trustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim())
  try {
    return new TrustedProxies(entries.filter((entry) => entry !== ''))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`TRACELAKE_TRUSTED_PROXIES must be a comma-separated list of addresses and networks: ${why}`)
  }
}

/**
 * The base path is that of the public URL, or is configured separately.
 *
 * @throws ConfigError
 */
function publicAddress(
  publicUrl: string | undefined,
  givenPath: string | undefined,
): Pick<Config, 'basePath' | 'publicUrl'> {
  const url = publicUrl === undefined ? undefined : URL.parse(publicUrl)
  if (url === null || url?.search || url?.hash)
    throw new ConfigError(`TRACELAKE_PUBLIC_URL must be an http or https URL without query, not "${publicUrl}"`)
  const urlPath = url?.pathname.replace(/\/+$/, '') ?? ''
  const basePath = givenPath?.replace(/^(?=[^/])/, '/').replace(/\/+$/, '') ?? urlPath
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath) || /\/\.\.?(?:\/|$)/.test(basePath))
    throw new ConfigError(
      `--base-path must be a path such as /tracelake, of letters, digits and "-", ".", "_", "~", not "${basePath}"`,
    )
  if (urlPath !== '' && urlPath !== basePath)
    throw new ConfigError(
      `--base-path is "${basePath}", but TRACELAKE_PUBLIC_URL ends in "${urlPath}"; give one of them`,
    )
  return { basePath, publicUrl: url && `${url.origin}${basePath}` }
}

/**
 * A server on any free port is one of several on a machine, so it does not take the port that
 * exporters expect.
 *
 * @throws ConfigError
 */
function grpcPortOf(port: number, given: string | undefined): Config['grpcPort'] {
  if (given === undefined) return port === 0 ? 0 : 'auto'
  if (given === 'off' || given === 'auto') return given
  const value = Number(given)
  if (!/^\d+$/.test(given) || value > 65_535) {
    throw new ConfigError(`--grpc-port must be an integer from 0 to 65535, "auto" or "off", not "${given}"`)
  }
  return value
}

function lakeOf(
  address: string | undefined,
  { endpoint, region, addressing }: ConfigOverrides,
): LakeSettings | undefined {
  if (address !== undefined) return { address: filled('--lake', address), endpoint, region, addressing }
  const given = Object.entries({ endpoint, region, addressing }).find(([, value]) => value !== undefined)
  if (given !== undefined) throw new ConfigError(`--${given[0]} needs --lake with the address of a lake`)
  return undefined
}

const dialectNames: readonly DialectName[] = ['ext', 'weave']
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Command line options override `TRACELAKE_…` variables, which override the configuration file,
 * which overrides defaults.
 *
 * @throws ConfigError naming the option and its valid values
 */
export function loadConfig(overrides: ConfigOverrides = {}, environment = environmentVariable): Config {
  const { variable, isFromFile } = settingSource(environment, overrides.config)
  const textOf = (name: SettingName): string | undefined => variable(`TRACELAKE_${name}`)
  const pick = (option: string | undefined, name: SettingName, fallback: string): string =>
    option ?? textOf(name) ?? fallback
  const liveClientsMax = wholeNumber(
    'TRACELAKE_LIVE_CLIENTS',
    pick(undefined, 'LIVE_CLIENTS', String(responseLimits.liveClientsMax)),
    0,
    10_000,
  )
  const publicUrl = httpAddress('TRACELAKE_PUBLIC_URL', textOf('PUBLIC_URL'))?.replace(/\/+$/, '')
  const host = filled('--host', pick(overrides.host, 'HOST', '127.0.0.1'))
  const local = overrides.local ?? oneOf('TRACELAKE_LOCAL', pick(undefined, 'LOCAL', 'off'), ['on', 'off']) === 'on'
  if (local && !isLoopbackHost(host)) {
    throw new ConfigError(`--local is for this machine only, but --host "${host}" can be reached from others`)
  }
  const port = wholeNumber('--port', pick(overrides.port, 'PORT', '8470'), 0, 65_535)
  const data = filled('--data', pick(overrides.data, 'DATA', './data'))
  return {
    host,
    port,
    local,
    grpcPort: grpcPortOf(port, overrides.grpcPort ?? textOf('GRPC_PORT')),
    grpcUrl: httpAddress('TRACELAKE_GRPC_URL', textOf('GRPC_URL'))?.replace(/\/+$/, ''),
    ...publicAddress(publicUrl, overrides.basePath ?? textOf('BASE_PATH')),
    data,
    lake: lakeOf(overrides.lake ?? textOf('LAKE'), overrides),
    cacheBytesMax:
      wholeNumber(
        '--cache-mb',
        pick(overrides.cacheMb, 'CACHE_MB', String(cacheLimits.bytesMax / MiB)),
        cacheLimits.bytesMin / MiB,
        1_073_741_824,
      ) * MiB,
    secretsKeyFile: pick(undefined, 'SECRETS_KEY_FILE', `${absolutePath(data)}.secrets-key`),
    hasSecretsKeyFile: textOf('SECRETS_KEY_FILE') !== undefined,
    dialect: oneOf('--dialect', pick(overrides.dialect, 'DIALECT', 'ext'), dialectNames),
    logLevel: oneOf('TRACELAKE_LOG_LEVEL', pick(undefined, 'LOG_LEVEL', 'info'), logLevels),
    // Keys read from files often end in a line break, which no request header can carry.
    adminKey: textOf('ADMIN_KEY')?.trim(),
    bodyBytesMax:
      wholeNumber(
        'TRACELAKE_MAX_BODY_MB',
        pick(undefined, 'MAX_BODY_MB', String(requestLimits.bodyBytesMax / MiB)),
        1,
        1024,
      ) * MiB,
    fileBytesMax:
      wholeNumber(
        'TRACELAKE_MAX_FILE_MB',
        pick(undefined, 'MAX_FILE_MB', String(requestLimits.fileBytesMax / MiB)),
        1,
        1_048_576,
      ) * MiB,
    queryTimeoutMs:
      wholeNumber(
        'TRACELAKE_QUERY_TIMEOUT_S',
        pick(undefined, 'QUERY_TIMEOUT_S', String(readLimits.queryTimeoutMs / 1000)),
        1,
        86_400,
      ) * 1000,
    privateHosts: pick(undefined, 'PRIVATE_HOSTS', '')
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
    trustedProxies: trustedProxies(pick(undefined, 'TRUSTED_PROXIES', '')),
    modelCatalogFile: textOf('MODEL_CATALOG'),
    variable,
    isFromFile: (setting) => isFromFile(`TRACELAKE_${setting}`),
    stripLarge: oneOf('TRACELAKE_STRIP_LARGE', pick(undefined, 'STRIP_LARGE', 'off'), ['on', 'off']) === 'on',
    redact: oneOf('TRACELAKE_REDACT', pick(undefined, 'REDACT', 'on'), ['on', 'off']) === 'on',
    extractContents:
      oneOf('TRACELAKE_EXTRACT_CONTENTS', pick(undefined, 'EXTRACT_CONTENTS', 'on'), ['on', 'off']) === 'on',
    liveClientsMax,
    liveClientsPerKeyMax: wholeNumber(
      'TRACELAKE_LIVE_PER_KEY',
      pick(undefined, 'LIVE_PER_KEY', String(Math.ceil(liveClientsMax / responseLimits.liveKeysAtLeast))),
      0,
      10_000,
    ),
    liveEventsMax: wholeNumber(
      'TRACELAKE_LIVE_EVENTS',
      pick(undefined, 'LIVE_EVENTS', String(responseLimits.liveEventsMax)),
      10,
      1_000_000,
    ),
    logKeptMs:
      wholeNumber(
        'TRACELAKE_LOG_RETENTION_H',
        pick(undefined, 'LOG_RETENTION_H', String(storageLimits.logKeptMs / 3_600_000)),
        0,
        87_600,
      ) * 3_600_000,
    reservedBytes: mebibytes('TRACELAKE_MIN_FREE_MB', textOf('MIN_FREE_MB')),
    coldBytesMax: mebibytes('TRACELAKE_COLD_FILE_MB', textOf('COLD_FILE_MB')) ?? 0,
    audit: {
      withReads: oneOf('TRACELAKE_AUDIT', pick(undefined, 'AUDIT', 'changes'), ['changes', 'all']) === 'all',
      withAddresses: oneOf('TRACELAKE_AUDIT_ADDRESS', pick(undefined, 'AUDIT_ADDRESS', 'on'), ['on', 'off']) === 'on',
      keptMs:
        wholeNumber('TRACELAKE_AUDIT_RETENTION_D', pick(undefined, 'AUDIT_RETENTION_D', '365'), 0, 36_500) * 86_400_000,
    },
    clickHouse: clickHouseSettings(textOf, absolutePath(data), overrides.lake),
    oidc: oidcSettings(textOf),
    versionsKeptMs:
      wholeNumber(
        'TRACELAKE_VERSIONS_KEPT_MIN',
        pick(undefined, 'VERSIONS_KEPT_MIN', String(storageLimits.replacedFilesKeptMs / 60_000)),
        1,
        525_600,
      ) * 60_000,
    otlpEndpoint: httpAddress('TRACELAKE_OTLP_ENDPOINT', textOf('OTLP_ENDPOINT')),
    metricsOpen: oneOf('TRACELAKE_METRICS', pick(undefined, 'METRICS', 'key'), ['key', 'open']) === 'open',
    memoryBytesMax: memoryBytesOf(textOf('MEMORY_MB')),
  }
}

/** The bytes of a setting in MiB; undefined if it is not set. */
const mebibytes = (name: string, value: string | undefined): number | undefined =>
  value === undefined ? undefined : wholeNumber(name, value, 0, 1_048_576) * MiB
