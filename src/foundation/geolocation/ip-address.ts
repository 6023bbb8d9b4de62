/** An address as unsigned 32-bit words, most significant first: one for IPv4, four for IPv6. */
export type IpWords = readonly [number] | readonly [number, number, number, number]

/**
 * Parses an IPv4 address (four decimal numbers) or an IPv6 address (RFC 4291 §2.2, ignoring a zone
 * after `%`). An IPv4-mapped address (`::ffff:1.2.3.4`) yields the IPv4 address. Undefined if
 * `text` is not an address.
 */
export function parseIp(text: string): IpWords | undefined {
  if (!text.includes(':')) {
    const word = parseIpv4(text)
    return word === undefined ? undefined : [word]
  }
  const words = parseIpv6(text.split('%')[0]!)
  if (words?.[0] === 0 && words[1] === 0 && words[2] === 0xffff) return [words[3]]
  return words
}

/** Dotted decimal form of an IPv4 address. */
export const formatIpv4 = (word: number): string =>
  [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join('.')

const decimalByte = /^(?:0|[1-9]\d{0,2})$/

function parseIpv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => decimalByte.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((word, part) => word * 256 + Number(part), 0)
}

function parseIpv6(text: string): [number, number, number, number] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groupsOf(halves[0]!, halves.length === 1)
  const tail = halves.length === 2 ? groupsOf(halves[1]!, true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail]
  const word = (at: number): number => groups[at]! * 0x10000 + groups[at + 1]!
  return [word(0), word(2), word(4), word(6)]
}

/** 16-bit groups of one half of an address; its end may be written as an IPv4 address. */
function groupsOf(half: string, isEnd: boolean): number[] | undefined {
  if (half === '') return []
  const groups: number[] = []
  const parts = half.split(':')
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const ipv4 = isEnd && at === parts.length - 1 ? parseIpv4(part) : undefined
    if (ipv4 === undefined) return undefined
    groups.push(ipv4 >>> 16, ipv4 & 0xffff)
  }
  return groups
}

/** Hexadecimal form of an IPv6 address with its longest run of zeros shortened (RFC 5952). */
export function formatIpv6(words: readonly number[]): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff])
  const gap = longestZeroRun(groups)
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  if (gap.length < 2) return hex(groups)
  return `${hex(groups.slice(0, gap.start))}::${hex(groups.slice(gap.start + gap.length))}`
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 }
  let start = 0
  for (const [at, group] of groups.entries()) {
    if (group !== 0) start = at + 1
    else if (at + 1 - start > longest.length) longest = { start, length: at + 1 - start }
  }
  return longest
}
