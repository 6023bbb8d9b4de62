import { MiB } from '../../lib/bytes.ts'
import type { Config } from './configuration.ts'
import type { SettingName } from './setting-names.ts'

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

/** Each setting as it is in effect; without secrets. One that is missing here does not compile. */
export const settingValues: Readonly<Record<SettingName, (config: Config) => string | number | null>> = {
  ADMIN_KEY: () => null,
  AUDIT: ({ audit }) => (audit.withReads ? 'all' : 'changes'),
  AUDIT_ADDRESS: ({ audit }) => onOff(audit.withAddresses),
  AUDIT_RETENTION_D: ({ audit }) => audit.keptMs / 86_400_000,
  BASE_PATH: ({ basePath }) => basePath,
  CACHE_MB: ({ cacheBytesMax }) => cacheBytesMax / MiB,
  CLICKHOUSE_FROM_MB: ({ clickHouse }) => (clickHouse === undefined ? null : clickHouse.bytesMin / MiB),
  CLICKHOUSE_LOCATION: ({ clickHouse }) => clickHouse?.location ?? null,
  CLICKHOUSE_PASSWORD: () => null,
  CLICKHOUSE_S3_KEY: ({ clickHouse }) => clickHouse?.storeKeys?.id ?? null,
  CLICKHOUSE_S3_SECRET: () => null,
  CLICKHOUSE_URL: ({ clickHouse }) => withoutCredentials(clickHouse?.url),
  CLICKHOUSE_USER: ({ clickHouse }) => clickHouse?.user ?? null,
  COLD_FILE_MB: ({ coldBytesMax }) => coldBytesMax / MiB,
  CONFIG: ({ variable }) => variable('TRACELAKE_CONFIG') ?? null,
  DATA: ({ data }) => data,
  DIALECT: ({ dialect }) => dialect,
  EXTRACT_CONTENTS: ({ extractContents }) => onOff(extractContents),
  GRPC_PORT: ({ grpcPort }) => grpcPort,
  GRPC_URL: ({ grpcUrl }) => withoutCredentials(grpcUrl),
  HOST: ({ host }) => host,
  LAKE: ({ lake }) => lake?.address ?? null,
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
  MIN_FREE_MB: ({ reservedBytes }) => (reservedBytes === undefined ? null : reservedBytes / MiB),
  MODEL_CATALOG: ({ modelCatalogFile }) => modelCatalogFile ?? null,
  OIDC_ACCESS: ({ variable }) => variable('TRACELAKE_OIDC_ACCESS') ?? null,
  OIDC_CHECK_S: ({ oidc }) => oidc && oidc.checkMs / 1000,
  OIDC_CLIENT_AUTH: ({ oidc }) => oidc?.clientAuth ?? null,
  OIDC_CLIENT_ID: ({ oidc }) => oidc?.clientId ?? null,
  OIDC_CLIENT_SECRET: () => null,
  OIDC_GROUPS_CLAIM: ({ oidc }) => oidc?.groupsClaim ?? null,
  OIDC_ISSUER: ({ oidc }) => oidc?.issuer ?? null,
  OIDC_NAME: ({ oidc }) => oidc?.name ?? null,
  OIDC_PARAMETERS: ({ variable }) => variable('TRACELAKE_OIDC_PARAMETERS') ?? null,
  OIDC_SCOPES: ({ oidc }) => oidc?.scopes ?? null,
  OIDC_SESSION_H: ({ oidc }) => oidc && oidc.sessionMs / 3_600_000,
  OTLP_ENDPOINT: ({ otlpEndpoint }) => withoutCredentials(otlpEndpoint),
  PORT: ({ port }) => port,
  PRIVATE_HOSTS: ({ privateHosts }) => privateHosts.join(','),
  PUBLIC_URL: ({ publicUrl }) => withoutCredentials(publicUrl),
  QUERY_TIMEOUT_S: ({ queryTimeoutMs }) => queryTimeoutMs / 1000,
  REDACT: ({ redact }) => onOff(redact),
  SECRETS_KEY_FILE: ({ lake, secretsKeyFile, hasSecretsKeyFile }) =>
    lake === undefined || hasSecretsKeyFile ? secretsKeyFile : `${lake.address.replace(/\/+$/, '')}/secrets-key.json`,
  STRIP_LARGE: ({ stripLarge }) => onOff(stripLarge),
  TRUSTED_PROXIES: ({ variable }) => variable('TRACELAKE_TRUSTED_PROXIES') ?? '',
  VERSIONS_KEPT_MIN: ({ versionsKeptMs }) => versionsKeptMs / 60_000,
}

/** User names, passwords and query strings of URLs may be secret. */
function withoutCredentials(url: string | undefined): string | null {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed && `${parsed.origin}${parsed.pathname}`
}
