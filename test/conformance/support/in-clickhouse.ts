import process from 'node:process'

/** Questions that ClickHouse may answer. */
const questions =
  /\/(calls\/(query|stream_query|query_stats|stats|search)|trace\/usage|threads\/stream_query|add_by_query)$/

const server = process.env['TRACELAKE_TEST_CLICKHOUSE'] ?? ''

/** Administrators' keys of the servers of this process, by address. */
const adminKeys = new Map<string, string>()

/**
 * With `TRACELAKE_TEST_CLICKHOUSE`, the address of a ClickHouse server, every server leaves all
 * searches to it that it can answer. The stage `conformance` of the suite `engines` does that.
 */
export const clickHouseSettings = (): Record<string, string> =>
  server === ''
    ? {}
    : {
        TRACELAKE_CLICKHOUSE_URL: server,
        TRACELAKE_CLICKHOUSE_USER: process.env['CLICKHOUSE_USER'] ?? '',
        TRACELAKE_CLICKHOUSE_PASSWORD: process.env['CLICKHOUSE_PASSWORD'] ?? '',
        TRACELAKE_CLICKHOUSE_FROM_MB: '0',
      }

export function rememberAdminKey(address: string, key: string): void {
  adminKeys.set(address.replace(/\/+$/, ''), key)
}

/** Puts all calls into files, where ClickHouse finds them, before a question. */
export async function flushBefore(address: string, path: string): Promise<void> {
  const key = adminKeys.get(address)
  if (server === '' || key === undefined || !questions.test(path)) return
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${address}/flush`, { method: 'POST', headers, body: '{}' })
  await response.arrayBuffer()
}
