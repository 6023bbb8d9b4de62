import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Located {
  ip: string
  location: Record<string, unknown> | null
  allowed: boolean
}

const locate = (ip: string) => server.get<Located>(`/geolocate?ip=${encodeURIComponent(ip)}`)

/** An IPv4 address as a number. */
const asInteger = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

describe('geolocate', () => {
  test.each(['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.0.1', '::1', 'fd00::1'])(
    'returns no location for the private address %s',
    async (ip) => {
      const answer = await locate(ip)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ ip, location: null, allowed: expect.any(Boolean) })
    },
  )

  test('returns the country of a public address', async () => {
    const { json } = await locate('8.8.8.8')
    expect(json.ip).toBe('8.8.8.8')
    expect(json.location).toMatchObject({ country_code: 'US' })
    expect(json.location).toHaveProperty('country_name')
  })

  test('returns the address range of the match', async () => {
    const { location } = (await locate('8.8.8.8')).json
    const { file_index, range_start_int, range_end_int, range_start_ip, range_end_ip } = location!
    expect(file_index).toBeNumber()
    expect(range_start_int).toBe(asInteger(String(range_start_ip)))
    expect(range_end_int).toBe(asInteger(String(range_end_ip)))
    expect(range_start_int as number).toBeLessThanOrEqual(asInteger('8.8.8.8'))
    expect(range_end_int as number).toBeGreaterThanOrEqual(asInteger('8.8.8.8'))
  })

  test('uses the address of the caller by default', async () => {
    const answer = await server.get<Located>('/geolocate')
    expect(answer.status).toBe(200)
    expect(answer.json.ip).toBeString()
    expect(answer.json.ip).not.toBe('')
  })

  test.each(['nowhere', '256.1.1.1', '1.2.3', '1.2.3.4.5', ':::', ' '])('rejects %p', async (ip) => {
    expectRefusal(await locate(ip), 400)
  })
})
