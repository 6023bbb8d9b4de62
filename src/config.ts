import { limits, MiB } from './limits.ts'
import { TrustedProxies } from './platform/client-address.ts'
import { absolutePath } from './platform/paths.ts'
import { environmentVariable } from './platform/runtime.ts'

export type Dialect = 'ext' | 'weave'

/** What can be set about a running server. Every option is also an environment variable. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Folder that holds everything the server keeps. */
  readonly data: string
  readonly dialect: Dialect
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Replaces the admin key that the first start would make. */
  readonly adminKey: string | undefined
  /** Holds the key that provider secrets are encrypted with; beside the data folder, so that a copy of the folder does not hold it. */
  readonly secretsKeyFile: string
  readonly bodyBytesMax: number
  /** Largest file that can be uploaded. */
  readonly fileBytesMax: number
  readonly queryTimeoutMs: number
  /** Private hosts (`host` or `host:port`, `*` for all) that custom providers may be at. */
  readonly privateHosts: readonly string[]
  /** Whose `X-Forwarded-For` says where a request comes from. */
  readonly trustedProxies: TrustedProxies
  /** File with models that the operator adds to the list of models or corrects in it. */
  readonly modelCatalogFile: string | undefined
  /** Environment variable of a name: where keys and addresses of model providers may lie too. */
  readonly variable: (name: string) => string | undefined
  /** Credential-like members of inputs and attributes are replaced before they are stored. */
  readonly redact: boolean
  /** Long base64 contents in inputs and outputs become files. */
  readonly extractContents: boolean
  /** DuckDB's memory bound in bytes; beyond it DuckDB spills to `data/tmp`. */
  readonly memoryBytesMax: number
  /** How long commits of the Delta logs stay that a checkpoint holds. */
  readonly logKeptMs: number
  /** Live tails at a time. */
  readonly liveClientsMax: number
  /** How many of them one key may have. */
  readonly liveClientsPerKeyMax: number
  /** Events that a project remembers for its live tails. */
  readonly liveEventsMax: number
  /** Metrics are shown without a key. */
  readonly metricsOpen: boolean
  /** Collector that gets the server's own traces; undefined where there are none. */
  readonly otlpEndpoint: string | undefined
}

export interface ConfigOverrides {
  host?: string | undefined
  port?: string | undefined
  data?: string | undefined
  dialect?: string | undefined
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Environment variables that set something, without their `TRACELAKE_`. */
export const settings = [
  'ADMIN_KEY',
  'DATA',
  'DIALECT',
  'EXTRACT_CONTENTS',
  'HOST',
  'LIVE_CLIENTS',
  'LIVE_PER_KEY',
  'LIVE_EVENTS',
  'LOG_LEVEL',
  'LOG_RETENTION_H',
  'MAX_BODY_MB',
  'MAX_FILE_MB',
  'MEMORY_MB',
  'METRICS',
  'MODEL_CATALOG',
  'OTLP_ENDPOINT',
  'PORT',
  'PRIVATE_HOSTS',
  'QUERY_TIMEOUT_S',
  'REDACT',
  'SECRETS_KEY_FILE',
  'TRUSTED_PROXIES',
] as const
type Setting = (typeof settings)[number]

/** Those of the names of environment variables that look like settings and set nothing: misspelt ones, most likely. */
export function unknownSettings(variables: readonly string[]): string[] {
  const known = new Set(settings.map((name) => `TRACELAKE_${name}`))
  // Addresses of model providers are asked for by the provider's name; the key is that of programs which send something.
  return variables.filter((name) => /^TRACELAKE_(?!KEY$|.*_BASE_URL$)/.test(name) && !known.has(name)).sort()
}

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

const dialects: readonly Dialect[] = ['ext', 'weave']
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Options from the command line, then `TRACELAKE_…` variables, then defaults.
 *
 * @throws ConfigError naming the option and what it takes.
 */
export function loadConfig(overrides: ConfigOverrides = {}, variable = environmentVariable): Config {
  const textOf = (name: Setting): string | undefined => variable(`TRACELAKE_${name}`)
  const pick = (option: string | undefined, name: Setting, fallback: string): string =>
    option ?? textOf(name) ?? fallback
  // An empty one comes from a variable of a script that nobody set; it would mean this folder, or all addresses.
  const filled = (option: string, text: string): string => {
    if (text.trim() === '') throw new ConfigError(`${option} must not be empty`)
    return text
  }
  const wholeNumber = (name: string, text: string, min: number, max: number): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`)
    }
    return value
  }
  const httpAddress = (name: string, text: string | undefined): string | undefined => {
    if (text !== undefined && !/^https?:\/\/[^\s/]+/.test(text)) {
      throw new ConfigError(`${name} must be an http or https URL, not "${text}"`)
    }
    return text
  }
  const oneOf = <T extends string>(name: string, text: string, choices: readonly T[]): T => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
    return found
  }
  const liveClientsMax = wholeNumber(
    'TRACELAKE_LIVE_CLIENTS',
    pick(undefined, 'LIVE_CLIENTS', String(limits.liveClientsMax)),
    0,
    10_000,
  )
  const data = filled('--data', pick(overrides.data, 'DATA', './data'))
  return {
    host: filled('--host', pick(overrides.host, 'HOST', '127.0.0.1')),
    port: wholeNumber('--port', pick(overrides.port, 'PORT', '8470'), 0, 65_535),
    data,
    secretsKeyFile: pick(undefined, 'SECRETS_KEY_FILE', `${absolutePath(data)}.secrets-key`),
    dialect: oneOf('--dialect', pick(overrides.dialect, 'DIALECT', 'ext'), dialects),
    logLevel: oneOf('TRACELAKE_LOG_LEVEL', pick(undefined, 'LOG_LEVEL', 'info'), logLevels),
    // A key out of a file often ends in a line break, which no request can carry.
    adminKey: textOf('ADMIN_KEY')?.trim(),
    bodyBytesMax:
      wholeNumber('TRACELAKE_MAX_BODY_MB', pick(undefined, 'MAX_BODY_MB', String(limits.bodyBytesMax / MiB)), 1, 1024) *
      MiB,
    fileBytesMax:
      wholeNumber(
        'TRACELAKE_MAX_FILE_MB',
        pick(undefined, 'MAX_FILE_MB', String(limits.fileBytesMax / MiB)),
        1,
        1_048_576,
      ) * MiB,
    queryTimeoutMs:
      wholeNumber(
        'TRACELAKE_QUERY_TIMEOUT_S',
        pick(undefined, 'QUERY_TIMEOUT_S', String(limits.queryTimeoutMs / 1000)),
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
    redact: oneOf('TRACELAKE_REDACT', pick(undefined, 'REDACT', 'on'), ['on', 'off']) === 'on',
    extractContents:
      oneOf('TRACELAKE_EXTRACT_CONTENTS', pick(undefined, 'EXTRACT_CONTENTS', 'on'), ['on', 'off']) === 'on',
    liveClientsMax,
    liveClientsPerKeyMax: wholeNumber(
      'TRACELAKE_LIVE_PER_KEY',
      pick(undefined, 'LIVE_PER_KEY', String(Math.ceil(liveClientsMax / limits.liveKeysAtLeast))),
      0,
      10_000,
    ),
    liveEventsMax: wholeNumber(
      'TRACELAKE_LIVE_EVENTS',
      pick(undefined, 'LIVE_EVENTS', String(limits.liveEventsMax)),
      10,
      1_000_000,
    ),
    logKeptMs:
      wholeNumber(
        'TRACELAKE_LOG_RETENTION_H',
        pick(undefined, 'LOG_RETENTION_H', String(limits.logKeptMs / 3_600_000)),
        0,
        87_600,
      ) * 3_600_000,
    otlpEndpoint: httpAddress('TRACELAKE_OTLP_ENDPOINT', textOf('OTLP_ENDPOINT')),
    metricsOpen: oneOf('TRACELAKE_METRICS', pick(undefined, 'METRICS', 'key'), ['key', 'open']) === 'open',
    memoryBytesMax: wholeNumber('TRACELAKE_MEMORY_MB', pick(undefined, 'MEMORY_MB', '1024'), 128, 1_048_576) * MiB,
  }
}
