import { MiB } from '../../lib/bytes.ts'
import { ConfigError, httpAddress, wholeNumber } from './config-error.ts'
import type { SettingName } from './setting-names.ts'

/** An access key of an object store, and its secret. */
export interface StoreKeys {
  readonly id: string
  readonly secret: string
}

/** A ClickHouse server that reads the data files, too. */
export interface ClickHouseSettings {
  /** Address of its HTTP interface. */
  readonly url: string
  readonly user: string
  readonly password: string | undefined
  /** Where it finds the data folder (a path) or the lake (an address); no slash at the end. */
  readonly location: string
  /** Its keys to the store of a lake; undefined if it has credentials of its own. */
  readonly storeKeys: StoreKeys | undefined
  /** From this many bytes of data files on, it is asked without a request that names it. */
  readonly bytesMin: number
}

/**
 * @param data absolute path of the data folder
 * @param lake address of a lake, if an option names one
 * @returns undefined if no server is configured
 * @throws ConfigError
 */
export function clickHouseSettings(
  textOf: (name: SettingName) => string | undefined,
  data: string,
  lake: string | undefined,
): ClickHouseSettings | undefined {
  const url = httpAddress('TRACELAKE_CLICKHOUSE_URL', textOf('CLICKHOUSE_URL'))
  if (url === undefined) return undefined
  const address = URL.parse(url)
  // Administrators see the address among the settings.
  if (address === null || address.username + address.password + address.search !== '')
    throw new ConfigError(
      'TRACELAKE_CLICKHOUSE_URL must be a URL without a user and parameters; set TRACELAKE_CLICKHOUSE_USER and ' +
        'TRACELAKE_CLICKHOUSE_PASSWORD',
    )
  const location = locationOf(textOf('CLICKHOUSE_LOCATION'), data, lake ?? textOf('LAKE'))
  return {
    url,
    user: textOf('CLICKHOUSE_USER') ?? 'default',
    password: textOf('CLICKHOUSE_PASSWORD')?.trim(),
    location: location.replace(/\/+$/, ''),
    storeKeys: storeKeys(textOf('CLICKHOUSE_S3_KEY'), textOf('CLICKHOUSE_S3_SECRET')?.trim()),
    bytesMin:
      wholeNumber('TRACELAKE_CLICKHOUSE_FROM_MB', textOf('CLICKHOUSE_FROM_MB') ?? '4096', 0, 1_073_741_824) * MiB,
  }
}

/** @throws ConfigError for a location that cannot be named in a pattern of files */
function locationOf(given: string | undefined, data: string, lake: string | undefined): string {
  const location = given ?? lake ?? data
  if (/[\r\n{},*?[\]]/.test(location) || location.trim() === '')
    throw new ConfigError('TRACELAKE_CLICKHOUSE_LOCATION must be a path or an address without line breaks or wildcards')
  const isInStore = lake !== undefined && /^s3:/i.test(lake)
  if (isInStore !== isAddress(location))
    throw new ConfigError(
      isInStore
        ? 'TRACELAKE_CLICKHOUSE_LOCATION must be the HTTP address of the lake, for example ' +
            'https://my-bucket.s3.eu-central-1.amazonaws.com/traces'
        : 'TRACELAKE_CLICKHOUSE_LOCATION must be a path, as the data is in a folder',
    )
  const url = URL.parse(location)
  if (isInStore && url !== null && url.username + url.password !== '')
    throw new ConfigError(
      'TRACELAKE_CLICKHOUSE_LOCATION must be an address without keys; set TRACELAKE_CLICKHOUSE_S3_KEY and ' +
        'TRACELAKE_CLICKHOUSE_S3_SECRET',
    )
  return location
}

/** Whether a location is in an object store, rather than in a folder. */
export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location)

function storeKeys(id: string | undefined, secret: string | undefined): StoreKeys | undefined {
  if (id === undefined && secret === undefined) return undefined
  if (id === undefined || secret === undefined)
    throw new ConfigError('TRACELAKE_CLICKHOUSE_S3_KEY and TRACELAKE_CLICKHOUSE_S3_SECRET must be set together')
  return { id, secret }
}
