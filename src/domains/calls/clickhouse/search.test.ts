import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { MiB } from '../../../lib/bytes.ts'
import type { Branch } from '../../../lib/relation.ts'
import { sharedBranches } from '../../../query/sql/clickhouse/shared-branches.ts'
import { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import { Answering } from './search.ts'

const answering = (bytesMin: number) =>
  new Answering(
    new ClickHouseServer({
      settings: { url: '', user: '', password: undefined, location: '', storeKeys: undefined, bytesMin },
      timeoutMs: 1000,
      log: pino({ level: 'silent' }),
    }),
  )

/** Two files, of which so many bytes may match. */
function files(matching: number, project: number) {
  const sizes = [
    { matching, project },
    { matching: 0, project },
  ]
  const source = { kind: 'files', paths: ['a', 'b'], sizes, missing: '', areAllVisible: true, pathColumns: new Map() }
  const branch: Branch = { source: { ...source, kind: 'files', onlyProject: 'acme/support' }, masks: [] }
  return sharedBranches({ branches: [branch], key: ['project_id', 'id'], presenceColumn: 'op_name' })
}

test.each([
  ['much', files(600 * MiB, 1000 * MiB), undefined],
  ['less than configured', files(400 * MiB, 400 * MiB), 'little is to be searched'],
  ['a small part of what ClickHouse reads', files(600 * MiB, 2000 * MiB), 'indexes leave a small part of the files'],
])('whether ClickHouse is asked for %s', (_what, shared, refusal) => {
  expect(answering(500 * MiB).refusalOf(shared)).toBe(refusal)
})

test('without a minimum, every search goes to ClickHouse', () => {
  expect(answering(0).refusalOf(files(1, 2000 * MiB))).toBeUndefined()
})
