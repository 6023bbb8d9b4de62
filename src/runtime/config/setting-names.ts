/** Names of all settings, without the prefix `TRACELAKE_`. */
export const settings = [
  'ADMIN_KEY',
  'AUDIT',
  'AUDIT_ADDRESS',
  'AUDIT_RETENTION_D',
  'BASE_PATH',
  'CACHE_MB',
  'CLICKHOUSE_FROM_MB',
  'CLICKHOUSE_LOCATION',
  'CLICKHOUSE_PASSWORD',
  'CLICKHOUSE_S3_KEY',
  'CLICKHOUSE_S3_SECRET',
  'CLICKHOUSE_URL',
  'CLICKHOUSE_USER',
  'COLD_FILE_MB',
  'CONFIG',
  'DATA',
  'DIALECT',
  'EXTRACT_CONTENTS',
  'GRPC_PORT',
  'GRPC_URL',
  'HOST',
  'LAKE',
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
  'MIN_FREE_MB',
  'MODEL_CATALOG',
  'OIDC_ACCESS',
  'OIDC_CHECK_S',
  'OIDC_CLIENT_AUTH',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_GROUPS_CLAIM',
  'OIDC_ISSUER',
  'OIDC_NAME',
  'OIDC_PARAMETERS',
  'OIDC_SCOPES',
  'OIDC_SESSION_H',
  'OTLP_ENDPOINT',
  'PORT',
  'PRIVATE_HOSTS',
  'PUBLIC_URL',
  'QUERY_TIMEOUT_S',
  'REDACT',
  'SECRETS_KEY_FILE',
  'STRIP_LARGE',
  'TRUSTED_PROXIES',
  'VERSIONS_KEPT_MIN',
] as const
export type SettingName = (typeof settings)[number]

/** Settings whose values are never shown. `…_FILE` names a file with the value. */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'ADMIN_KEY',
  'CLICKHOUSE_PASSWORD',
  'CLICKHOUSE_S3_SECRET',
  'OIDC_CLIENT_SECRET',
])

/** Everything that a configuration file or the environment may set, without the prefix. */
export const settable: ReadonlySet<string> = new Set([
  ...settings,
  ...[...secretSettings].map((name) => `${name}_FILE`),
])

/** Environment variables that look like settings but are unknown, most likely misspelled. */
export function unknownSettings(variables: readonly string[]): string[] {
  // `…_BASE_URL` is looked up by provider name; client programs and commands read the others.
  const looksLikeSetting = /^TRACELAKE_(?!KEY$|KEY_FILE$|URL$|PROJECT$|.*_BASE_URL$)/
  return variables
    .filter((name) => looksLikeSetting.test(name) && !settable.has(name.slice('TRACELAKE_'.length)))
    .sort()
}
