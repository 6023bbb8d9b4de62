import { beforeAll, describe, expect, test } from 'bun:test'
import { DomainError } from '../../src/lib/errors.ts'
import type { Operation } from '../conformance/support/query-expression.ts'
import { type DataRow, holds, Refused } from './evaluator.ts'
import { Fixture, projectId } from './fixture.ts'
import { Random, seedOf } from './random.ts'
import { condition, fieldsOf } from './random-query.ts'
import { type TableKind, tableKinds } from './table-kinds.ts'

/** Queries per kind: `TRACELAKE_TEST_QUERIES`, as for calls in `semantics.test.ts`. */
const cases = Number(Bun.env['TRACELAKE_TEST_QUERIES'] ?? 600)

describe.each(Object.entries(tableKinds))('random queries over %s', (title, kind) => {
  const { table, key } = kind
  const random = new Random(seedOf(title))
  const rows: DataRow[] = Array.from({ length: 120 }, (_, index) => kind.randomRow(random, index))
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await Fixture.open()
    for (const row of rows) await fixture.insertInto(table.name, { project_id: projectId, ...kind.stored(row) })
  }, 120_000)

  test('select the same as a naive evaluator', async () => {
    const fields = fieldsOf(kind.columns)
    let selected = 0
    let refused = 0
    for (let i = 0; i < cases; i++) {
      const operation = condition(random, random.below(4), fields)
      const expected = expectedOf(operation, rows, kind)
      const actual = await keysOf(operation, kind, fixture)
      expect(`${show(operation)} ${actual}`).toBe(`${show(operation)} ${expected}`)
      if (actual === 'refused') refused += 1
      else if (actual.length > 0) selected += 1
    }
    console.log(`${title} (${key}): ${cases} queries, ${refused} refused, ${selected} with rows`)
    expect(selected).toBeGreaterThan(cases / 5)
  }, 1_800_000)
})

async function keysOf(operation: Operation, kind: TableKind, fixture: Fixture): Promise<string[] | 'refused'> {
  try {
    const rows = await fixture.rows(kind.compile(operation))
    return rows.map(([key]) => key as string).sort()
  } catch (error) {
    if (error instanceof DomainError && error.type === 'InvalidRequest') return 'refused'
    throw error
  }
}

function expectedOf(operation: Operation, rows: readonly DataRow[], { shape, key }: TableKind): string[] | 'refused' {
  try {
    return rows
      .filter((row) => holds(operation, row, shape) === true)
      .map((row) => row[key] as string)
      .sort()
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

const show = (operation: Operation): string =>
  JSON.stringify(operation, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
