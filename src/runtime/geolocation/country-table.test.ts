import { expect, test } from 'bun:test'
import { CountryTable, parseIpv4Number, parseIpv6Groups } from './geolocation.ts'
import { formatIp, parseIp } from './public-addresses.ts'

const csv = new TextEncoder().encode('10,19,AA\n20,20,BB\n4294967290,4294967295,CC')
const table = new CountryTable(csv, 1, parseIpv4Number)

test.each([
  [9, undefined],
  [10, 'AA'],
  [19, 'AA'],
  [20, 'BB'],
  [21, undefined],
  [4294967295, 'CC'],
])('address %p is in country %p', (address, country) => {
  expect(table.find([address])?.country).toBe(country!)
})

test('an empty file has no ranges', () => {
  expect(new CountryTable(new Uint8Array(), 1, parseIpv4Number).find([1])).toBeUndefined()
})

test.each(['::', '::1', '1::', '1:2::8', '1:2:3:4:5:6:7:8', 'fe80::a:0:0:1', '2001:db8:0:1:1:1:1:1'])(
  'both parsers read %s alike, and formatting restores it',
  (text) => {
    const words = new Uint32Array(4)
    const bytes = new TextEncoder().encode(text)
    parseIpv6Groups(bytes, 0, bytes.length, words, 0)
    expect([...words]).toEqual([...parseIp(text)!])
    expect(formatIp([...words])).toBe(text)
  },
)
