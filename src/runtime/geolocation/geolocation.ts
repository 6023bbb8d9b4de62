import { type Static, Type } from '@sinclair/typebox'
import { DomainError, quoted } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import { readPackageAsset } from '../platform/files/package-asset.ts'
import { formatIp, type IpWords, isPublicAddress, parseIp } from './public-addresses.ts'

/** The table row whose range contains an address. */
interface CountryRow {
  /** 0-based row number in its file. */
  readonly index: number
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly start: readonly number[]
  readonly end: readonly number[]
}

const comma = 0x2c
const newline = 0x0a

/**
 * Sorted address ranges with their countries in typed arrays: 300,000 rows take a few megabytes and
 * no objects.
 */
export class CountryTable {
  private readonly wordCount: number
  private readonly starts: Uint32Array
  private readonly ends: Uint32Array
  private readonly countries: Uint16Array
  private readonly rows: number

  /**
   * Parses lines `start,end,country`, sorted by start.
   *
   * @param parseAddress writes the words of the address in `csv[from, to)` into `into` at `at`
   * @param wordCount 32-bit words per address
   */
  constructor(
    csv: Uint8Array,
    wordCount: number,
    parseAddress: (csv: Uint8Array, from: number, to: number, into: Uint32Array, at: number) => void,
  ) {
    const capacity = countLines(csv)
    this.wordCount = wordCount
    this.starts = new Uint32Array(capacity * wordCount)
    this.ends = new Uint32Array(capacity * wordCount)
    this.countries = new Uint16Array(capacity)
    let rows = 0
    for (let at = 0; at < csv.length; ) {
      const lineEnd = endOfLine(csv, at)
      const first = csv.indexOf(comma, at)
      const second = csv.indexOf(comma, first + 1)
      if (first === -1 || second === -1 || second + 2 >= lineEnd) break
      parseAddress(csv, at, first, this.starts, rows * wordCount)
      parseAddress(csv, first + 1, second, this.ends, rows * wordCount)
      this.countries[rows] = itemAt(csv, second + 1) * 256 + itemAt(csv, second + 2)
      rows += 1
      at = lineEnd + 1
    }
    this.rows = rows
  }

  /** The row whose range contains the address, if any. */
  find(words: IpWords): CountryRow | undefined {
    let low = 0
    let high = this.rows
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.compare(this.starts, middle, words) <= 0) low = middle + 1
      else high = middle
    }
    const index = low - 1
    if (index < 0 || this.compare(this.ends, index, words) < 0) return undefined
    const country = itemAt(this.countries, index)
    return {
      index,
      country: String.fromCharCode(country >>> 8, country & 255),
      start: this.wordsAt(this.starts, index),
      end: this.wordsAt(this.ends, index),
    }
  }

  private compare(bounds: Uint32Array, row: number, words: IpWords): number {
    for (let at = 0; at < this.wordCount; at++) {
      const difference = itemAt(bounds, row * this.wordCount + at) - itemAt(words, at)
      if (difference !== 0) return difference
    }
    return 0
  }

  private wordsAt(bounds: Uint32Array, row: number): number[] {
    return [...bounds.subarray(row * this.wordCount, (row + 1) * this.wordCount)]
  }
}

function endOfLine(csv: Uint8Array, from: number): number {
  const found = csv.indexOf(newline, from)
  return found === -1 ? csv.length : found
}

function countLines(csv: Uint8Array): number {
  let lines = 1
  for (let at = csv.indexOf(newline); at !== -1; at = csv.indexOf(newline, at + 1)) lines += 1
  return lines
}

/** Parses an IPv4 address written as one decimal number. */
export function parseIpv4Number(csv: Uint8Array, from: number, to: number, into: Uint32Array, at: number): void {
  let value = 0
  for (const digit of csv.subarray(from, to)) value = value * 10 + digit - 0x30
  into[at] = value
}

/**
 * Parses an IPv6 address in hexadecimal groups. Trusts the file to be well-formed; `parseIp` is for
 * untrusted input.
 */
export function parseIpv6Groups(csv: Uint8Array, from: number, to: number, into: Uint32Array, at: number): void {
  const groups = new Uint16Array(8)
  let count = 0
  let gapAt = -1
  let value = 0
  for (let position = from; position < to; position++) {
    const char = itemAt(csv, position)
    if (char !== 0x3a) {
      value = value * 16 + (char <= 0x39 ? char - 0x30 : (char | 0x20) - 0x57)
      continue
    }
    groups[count++] = value
    value = 0
    if (csv[position + 1] === 0x3a) {
      gapAt = count
      position += 1
    }
  }
  groups[count++] = value
  if (gapAt !== -1) {
    const tail = groups.slice(gapAt, count)
    groups.fill(0, gapAt)
    groups.set(tail, 8 - tail.length)
  }
  for (let word = 0; word < 4; word++)
    into[at + word] = itemAt(groups, word * 2) * 0x10000 + itemAt(groups, word * 2 + 1)
}

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
