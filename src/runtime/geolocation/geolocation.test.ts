import { expect, test } from 'bun:test'
import { Geolocation } from './geolocation.ts'

const geolocation = new Geolocation()

test('finds the range of an IPv4 address', async () => {
  const location = (await geolocation.locate('193.0.6.139'))!
  expect(location).toMatchObject({ country_code: 'NL', country_name: 'Netherlands' })
  const number = 193 * 2 ** 24 + 6 * 2 ** 8 + 139
  expect(location.range_start_int).toBeLessThanOrEqual(number)
  expect(location.range_end_int).toBeGreaterThanOrEqual(number)
  expect(location.range_start_ip).toMatch(/^193\.0\.\d+\.0$/)
  expect(await geolocation.locate(location.range_start_ip)).toEqual(location)
  expect(await geolocation.locate(location.range_end_ip)).toEqual(location)
  expect(await geolocation.locate('::ffff:193.0.6.139')).toEqual(location)
  expect(await geolocation.locate('::FFFF:c100:68b')).toEqual(location)
})

test('finds the range of an IPv6 address', async () => {
  const location = (await geolocation.locate('2001:67c:2e8:22::c100:68b'))!
  expect(location.country_code).toBe('NL')
  expect(await geolocation.locate(location.range_start_ip)).toEqual(location)
  expect(await geolocation.locate(location.range_end_ip)).toEqual(location)
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.127.255.255',
  '127.0.0.1',
  '169.254.1.1',
  '172.31.255.255',
  '192.168.0.1',
  '198.51.100.7',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1%eth0',
  'febf::1',
  'ff02::1',
  '2001:db8::1',
])('%s belongs to no country', async (ip) => {
  expect(await geolocation.locate(ip)).toBeNull()
})

test.each(['172.15.255.255', '172.32.0.0', '100.128.0.0', '223.255.254.1', '126.0.0.1'])('%s is public', async (ip) => {
  expect(await geolocation.locate(ip)).not.toBeNull()
})

test.each([
  '',
  'localhost',
  '1.2.3',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4.5',
  ' 1.2.3.4',
  ':',
  '1::2::3',
  '1:2:3:4:5:6:7',
  'g::',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '::1.2.3.4:5',
])('%p is not an address', async (ip) => {
  await expect(geolocation.locate(ip)).rejects.toMatchObject({ type: 'InvalidRequest' })
})
