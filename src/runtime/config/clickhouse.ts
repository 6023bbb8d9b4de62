import { MiB } from '../../lib/bytes.ts'
import { ConfigError, httpAddress, wholeNumber } from './config-error.ts'
import type { SettingName } from './setting-names.ts'

/** A ClickHouse server that reads the data files, too. */
export interface ClickHouseSettings {
  /** Address of its HTTP interface. */
  readonly url: string
  readonly user: string
  readonly password: string | undefined
  /** Where it finds the data folder, without a slash at the end. */
  readonly location: string
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
  if ((lake ?? textOf('LAKE')) !== undefined)
    throw new ConfigError('TRACELAKE_CLICKHOUSE_URL is for data in a folder, not for a lake')
  const address = URL.parse(url)
  // Administrators see the address among the settings.
  if (address === null || address.username + address.password + address.search !== '')
    throw new ConfigError(
      'TRACELAKE_CLICKHOUSE_URL must be a URL without a user and parameters; set TRACELAKE_CLICKHOUSE_USER and ' +
        'TRACELAKE_CLICKHOUSE_PASSWORD',
    )
  const location = textOf('CLICKHOUSE_LOCATION') ?? data
  if (/[\r\n{},*?[\]]/.test(location) || location.trim() === '')
    throw new ConfigError('TRACELAKE_CLICKHOUSE_LOCATION must be a path without line breaks or wildcards')
  return {
    url,
    user: textOf('CLICKHOUSE_USER') ?? 'default',
    password: textOf('CLICKHOUSE_PASSWORD')?.trim(),
    location: location.replace(/\/+$/, ''),
    bytesMin:
      wholeNumber('TRACELAKE_CLICKHOUSE_FROM_MB', textOf('CLICKHOUSE_FROM_MB') ?? '4096', 0, 1_073_741_824) * MiB,
  }
}
