import { limits, MiB } from './limits.ts'
import { TrustedProxies } from './platform/client-address.ts'
import { isLoopbackHost } from './platform/loopback.ts'
import { absolutePath } from './platform/paths.ts'
import { environmentVariable } from './platform/runtime.ts'

export type DialectName = 'ext' | 'weave'

/** Settings of a running server. Every option also has an environment variable. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Accept telemetry without a key from programs on this machine. */
  readonly local: boolean
  /** Port for gRPC; `off`: none; `auto`: the port exporters expect, if it is free. */
  readonly grpcPort: number | 'auto' | 'off'
  /**
   * Path of the server as its clients see it, behind a proxy that serves more than this server; no
   * slash at the end, empty for the root.
   */
  readonly basePath: string
  /** Address that browsers use, without a slash at the end, with the base path. */
  readonly publicUrl: string | undefined
  /** Folder with all data of the server. */
  readonly data: string
  readonly dialect: DialectName
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Replaces the admin key that would be created at the first start. */
  readonly adminKey: string | undefined
  /**
   * File with the key that encrypts provider secrets. It is next to the data folder, so that a copy
   * of the folder does not contain it.
   */
  readonly secretsKeyFile: string
  readonly bodyBytesMax: number
  /** Maximum size of an uploaded file. */
  readonly fileBytesMax: number
  readonly queryTimeoutMs: number
  /** Private hosts (`host` or `host:port`, `*` for all) allowed for custom providers. */
  readonly privateHosts: readonly string[]
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies: TrustedProxies
  /** File with the operator's additions and corrections to the model catalog. */
  readonly modelCatalogFile: string | undefined
  /**
   * Looks up an environment variable, for example with the API key or base URL of a model provider.
   */
  readonly variable: (name: string) => string | undefined
  /** Redact credential-like members of inputs and attributes before storing them. */
  readonly redact: boolean
  /** Store long base64 content in inputs and outputs as files. */
  readonly extractContents: boolean
  /** Memory limit of DuckDB in bytes; beyond it, DuckDB spills to `data/tmp`. */
  readonly memoryBytesMax: number
  /** How long to keep Delta log commits that are covered by a checkpoint. */
  readonly logKeptMs: number
  /** Maximum number of concurrent live tails. */
  readonly liveClientsMax: number
  /** Maximum number of concurrent live tails per API key. */
  readonly liveClientsPerKeyMax: number
  /** Events buffered per project for its live tails. */
  readonly liveEventsMax: number
  /** Whether /metrics is served without an API key. */
  readonly metricsOpen: boolean
  /** Collector for the server's own traces; undefined to disable them. */
  readonly otlpEndpoint: string | undefined
}

export interface ConfigOverrides {
  host?: string | undefined
  port?: string | undefined
  grpcPort?: string | undefined
  local?: boolean | undefined
  basePath?: string | undefined
  data?: string | undefined
  dialect?: string | undefined
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Names of all settings, without the prefix `TRACELAKE_`. */
export const settings = [
  'ADMIN_KEY',
  'BASE_PATH',
  'DATA',
  'DIALECT',
  'EXTRACT_CONTENTS',
  'GRPC_PORT',
  'HOST',
  'LIVE_CLIENTS',
  'LIVE_PER_KEY',
  'LIVE_EVENTS',
  'LOCAL',
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
  'PUBLIC_URL',
  'QUERY_TIMEOUT_S',
  'REDACT',
  'SECRETS_KEY_FILE',
  'TRUSTED_PROXIES',
] as const
type Setting = (typeof settings)[number]

/** Environment variables that look like settings but are unknown, most likely misspelled. */
export function unknownSettings(variables: readonly string[]): string[] {
  const known = new Set(settings.map((name) => `TRACELAKE_${name}`))
  // `…_BASE_URL` is looked up by provider name; client programs and commands read the others.
  const looksLikeSetting = /^TRACELAKE_(?!KEY$|URL$|PROJECT$|.*_BASE_URL$)/
  return variables.filter((name) => looksLikeSetting.test(name) && !known.has(name)).sort()
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

/**
 * The base path is that of the public URL, or stands by itself.
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

const dialectNames: readonly DialectName[] = ['ext', 'weave']
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Command line options override `TRACELAKE_…` variables, which override defaults.
 *
 * @throws ConfigError naming the option and its valid values
 */
export function loadConfig(overrides: ConfigOverrides = {}, variable = environmentVariable): Config {
  const textOf = (name: Setting): string | undefined => variable(`TRACELAKE_${name}`)
  const pick = (option: string | undefined, name: Setting, fallback: string): string =>
    option ?? textOf(name) ?? fallback
  // An empty value usually comes from an unset shell variable. It would mean the current folder, or
  // all interfaces.
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
    ...publicAddress(publicUrl, overrides.basePath ?? textOf('BASE_PATH')),
    data,
    secretsKeyFile: pick(undefined, 'SECRETS_KEY_FILE', `${absolutePath(data)}.secrets-key`),
    dialect: oneOf('--dialect', pick(overrides.dialect, 'DIALECT', 'ext'), dialectNames),
    logLevel: oneOf('TRACELAKE_LOG_LEVEL', pick(undefined, 'LOG_LEVEL', 'info'), logLevels),
    // Keys read from files often end in a line break, which no request header can carry.
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

export type SettingName = (typeof settings)[number]

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

/** Each setting as it is in effect; without secrets. One that is missing here does not compile. */
export const settingValues: Readonly<Record<SettingName, (config: Config) => string | number | null>> = {
  ADMIN_KEY: () => null,
  BASE_PATH: ({ basePath }) => basePath,
  DATA: ({ data }) => data,
  DIALECT: ({ dialect }) => dialect,
  EXTRACT_CONTENTS: ({ extractContents }) => onOff(extractContents),
  GRPC_PORT: ({ grpcPort }) => grpcPort,
  HOST: ({ host }) => host,
  LIVE_CLIENTS: ({ liveClientsMax }) => liveClientsMax,
  LIVE_PER_KEY: ({ liveClientsPerKeyMax }) => liveClientsPerKeyMax,
  LIVE_EVENTS: ({ liveEventsMax }) => liveEventsMax,
  LOCAL: ({ local }) => onOff(local),
  LOG_LEVEL: ({ logLevel }) => logLevel,
  LOG_RETENTION_H: ({ logKeptMs }) => logKeptMs / 3_600_000,
  MAX_BODY_MB: ({ bodyBytesMax }) => bodyBytesMax / MiB,
  MAX_FILE_MB: ({ fileBytesMax }) => fileBytesMax / MiB,
  MEMORY_MB: ({ memoryBytesMax }) => memoryBytesMax / MiB,
  METRICS: ({ metricsOpen }) => (metricsOpen ? 'open' : 'key'),
  MODEL_CATALOG: ({ modelCatalogFile }) => modelCatalogFile ?? null,
  OTLP_ENDPOINT: ({ otlpEndpoint }) => withoutCredentials(otlpEndpoint),
  PORT: ({ port }) => port,
  PRIVATE_HOSTS: ({ privateHosts }) => privateHosts.join(','),
  PUBLIC_URL: ({ publicUrl }) => withoutCredentials(publicUrl),
  QUERY_TIMEOUT_S: ({ queryTimeoutMs }) => queryTimeoutMs / 1000,
  REDACT: ({ redact }) => onOff(redact),
  SECRETS_KEY_FILE: ({ secretsKeyFile }) => secretsKeyFile,
  TRUSTED_PROXIES: ({ variable }) => variable('TRACELAKE_TRUSTED_PROXIES') ?? '',
}

/** User names, passwords and query strings of URLs may be secret. */
function withoutCredentials(url: string | undefined): string | null {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed && `${parsed.origin}${parsed.pathname}`
}
