import type { TrustedProxies } from '../platform/client-address.ts'
import type { ClickHouseSettings } from './clickhouse.ts'
import type { OidcSettings } from './oidc.ts'

export type DialectName = 'ext' | 'weave'

/** Data that is in an object store. */
export interface LakeSettings {
  /** `s3://<bucket>/<prefix>`, or a folder. */
  readonly address: string
  /** Where the store is, if the settings of AWS do not say so. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly addressing?: string | undefined
}

/** Settings of a running server. Every option also has an environment variable. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Accept telemetry without a key from programs on this machine. */
  readonly local: boolean
  /** Port for gRPC; `off`: none; `auto`: the port exporters expect, if it is free. */
  readonly grpcPort: number | 'auto' | 'off'
  /** Address at which clients reach that port through a proxy, for snippets. */
  readonly grpcUrl: string | undefined
  /**
   * Path of the server as its clients see it, behind a proxy that serves more than this server; no
   * slash at the end, empty for the root.
   */
  readonly basePath: string
  /** Address that browsers use, without a slash at the end, with the base path. */
  readonly publicUrl: string | undefined
  /** Folder with all data of the server, or a cache of the lake, if there is one. */
  readonly data: string
  readonly lake: LakeSettings | undefined
  /** Size of the cache of a lake. */
  readonly cacheBytesMax: number
  readonly dialect: DialectName
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Replaces the admin key that would be created at the first start. */
  readonly adminKey: string | undefined
  /**
   * File with the key that encrypts provider secrets. It is next to the data folder, so that a copy
   * of the folder does not contain it.
   */
  readonly secretsKeyFile: string
  /** Whether a setting names that file, which then also has the key of data in an object store. */
  readonly hasSecretsKeyFile: boolean
  readonly bodyBytesMax: number
  /** A ClickHouse server for heavy counts. */
  readonly clickHouse: ClickHouseSettings | undefined
  /** Maximum size of an uploaded file. */
  readonly fileBytesMax: number
  readonly queryTimeoutMs: number
  /** Private hosts (`host` or `host:port`, `*` for all) allowed for custom providers. */
  readonly privateHosts: readonly string[]
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies: TrustedProxies
  /** Whether a setting was read from the configuration file. */
  readonly isFromFile: (setting: string) => boolean
  /** File with the operator's additions and corrections to the model catalog. */
  readonly modelCatalogFile: string | undefined
  /**
   * Looks up an environment variable, or a member of the configuration file in its place, for
   * example with the API key or base URL of a model provider.
   */
  readonly variable: (name: string) => string | undefined
  /** Replace the largest parts of calls whose payload is too large, as the vendor's servers do. */
  readonly stripLarge: boolean
  /** Redact credential-like members of inputs and attributes before storing them. */
  readonly redact: boolean
  /** Store long base64 content in inputs and outputs as files. */
  readonly extractContents: boolean
  /**
   * Memory limit of DuckDB in bytes, from which other limits follow (`memoryLimits`); beyond it,
   * DuckDB spills to `data/tmp`.
   */
  readonly memoryBytesMax: number
  /**
   * Bytes to keep free on the disk; writes are refused when fewer are. 0 to disable; undefined for
   * the default, which depends on the size of the disk.
   */
  readonly reservedBytes: number | undefined
  /** Size of cold files on disk; 0 for none. */
  readonly coldBytesMax: number
  /** How long to keep Delta log commits that are covered by a checkpoint. */
  readonly logKeptMs: number
  /** How long replaced data files are kept, so that old versions of a table can be read. */
  readonly versionsKeptMs: number
  /** Maximum number of concurrent live tails. */
  readonly liveClientsMax: number
  /** Maximum number of concurrent live tails per API key. */
  readonly liveClientsPerKeyMax: number
  /** Events buffered per project for its live tails. */
  readonly liveEventsMax: number
  /** Actions that the audit log records, and for how long; 0 for ever. */
  readonly audit: { readonly withReads: boolean; readonly withAddresses: boolean; readonly keptMs: number }
  /** Signing in through an OpenID provider; null if none is configured. */
  readonly oidc: OidcSettings | null
  /** Whether /metrics is served without an API key. */
  readonly metricsOpen: boolean
  /** Collector for the server's own traces; undefined to disable them. */
  readonly otlpEndpoint: string | undefined
}

/** Command line options. */
export interface ConfigOverrides {
  config?: string | undefined
  host?: string | undefined
  port?: string | undefined
  grpcPort?: string | undefined
  local?: boolean | undefined
  basePath?: string | undefined
  data?: string | undefined
  lake?: string | undefined
  endpoint?: string | undefined
  region?: string | undefined
  addressing?: string | undefined
  cacheMb?: string | undefined
  dialect?: string | undefined
}
