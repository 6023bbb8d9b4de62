import { type Static, Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../lib/errors.ts'
import { readPackageAsset } from '../platform/files/package-asset.ts'
import { type CountryRow, CountryTable, parseIpv4Number, parseIpv6Groups } from './country-table.ts'
import { formatIp, type IpWords, parseIp } from './ip-address.ts'
import { isPublicAddress } from './public-addresses.ts'

/** Where an address is registered: the table row that contains it. */
export const Location = Type.Object({
  file_index: Type.Integer({ description: '0-based row number in the table' }),
  range_start_int: Type.Integer({ description: 'First address of the range as an integer (rounded for IPv6)' }),
  range_end_int: Type.Integer({ description: 'Last address of the range as an integer (rounded for IPv6)' }),
  range_start_ip: Type.String({ examples: ['192.0.2.0'] }),
  range_end_ip: Type.String({ examples: ['192.0.2.255'] }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2', examples: ['NL'] }),
  country_name: Type.Union([Type.String(), Type.Null()], { description: 'English name; null if unknown' }),
})
export type Location = Static<typeof Location>

/**
 * Looks up the country in which an IP address is registered, in a table that ships with the server.
 * The tables are read on first use, each in a few tens of milliseconds.
 */
export class Geolocation {
  private ipv4: Promise<CountryTable> | undefined
  private ipv6: Promise<CountryTable> | undefined

  /**
   * The location of `ip`; null if it is private, loopback, link-local, reserved or unknown.
   *
   * @throws DomainError InvalidRequest if `ip` is not an IP address
   */
  async locate(ip: string): Promise<Location | null> {
    const words = parseIp(ip)
    if (words === undefined) throw new DomainError('InvalidRequest', `Invalid IP address ${quoted(ip)}`)
    if (!isPublicAddress(words)) return null
    const row = (await this.tableFor(words)).find(words)
    return row === undefined ? null : locationOf(row)
  }

  private tableFor(words: IpWords): Promise<CountryTable> {
    if (words.length === 1) {
      this.ipv4 ??= readPackageAsset('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv4-num.csv').then(
        (csv) => new CountryTable(csv, 1, parseIpv4Number),
      )
      return this.ipv4
    }
    this.ipv6 ??= readPackageAsset('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv6.csv').then(
      (csv) => new CountryTable(csv, 4, parseIpv6Groups),
    )
    return this.ipv6
  }
}

function locationOf({ index, country, start, end }: CountryRow): Location {
  return {
    file_index: index,
    range_start_int: toNumber(start),
    range_end_int: toNumber(end),
    range_start_ip: formatIp(start),
    range_end_ip: formatIp(end),
    country_code: country,
    country_name: nameOf(country),
  }
}

const toNumber = (words: readonly number[]): number => words.reduce((value, word) => value * 2 ** 32 + word, 0)

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

function nameOf(country: string): string | null {
  // ICU calls "ZZ" "Unknown Region"; we report no name.
  return country === 'ZZ' ? null : (countryNames.of(country) ?? null)
}
