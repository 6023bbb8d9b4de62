/** Names of all settings, without the prefix `TRACELAKE_`. */
export const settings = [
  'ADMIN_KEY',
  'BASE_PATH',
  'CONFIG',
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
  'MIN_FREE_MB',
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
export type SettingName = (typeof settings)[number]

/** Environment variables that look like settings but are unknown, most likely misspelled. */
export function unknownSettings(variables: readonly string[]): string[] {
  const known = new Set([...settings.map((name) => `TRACELAKE_${name}`), 'TRACELAKE_ADMIN_KEY_FILE'])
  // `…_BASE_URL` is looked up by provider name; client programs and commands read the others.
  const looksLikeSetting = /^TRACELAKE_(?!KEY$|KEY_FILE$|URL$|PROJECT$|.*_BASE_URL$)/
  return variables.filter((name) => looksLikeSetting.test(name) && !known.has(name)).sort()
}
