import { beforeAll, describe, expect, test } from 'bun:test'
import { callsCatalog } from '../../src/engine/tables/calls-query.ts'
import { DomainError } from '../../src/lib/errors.ts'
import type { Expression } from '../../src/query/expression.ts'
import { rewriteNames } from '../../src/query/rewrite/rewrite.ts'
import { readQuery } from '../../src/query/table-plan.ts'
import type { Operation } from '../conformance/support/query-expression.ts'
import { type DataRow, holds, Refused } from './evaluator.ts'
import { Fixture } from './fixture.ts'
import { Random, seedOf } from './random.ts'
import { condition } from './random-query.ts'
import { insertAll, randomRows } from './random-rows.ts'

const cases = Number(Bun.env['TRACELAKE_TEST_QUERIES'] ?? 3_000)
const seed = seedOf('random queries')

let fixture: Fixture
let rows: DataRow[]
const queries: { operation: Operation; where: Expression | 'refused' }[] = []

beforeAll(async () => {
  const random = new Random(seed)
  fixture = await Fixture.open()
  rows = randomRows(random, 120)
  await insertAll(fixture, rows)
  for (let i = 0; i < cases; i++) {
    const operation = condition(random, random.below(4))
    queries.push({ operation, where: readOrRefuse(operation) })
  }
}, 120_000)

function readOrRefuse(operation: Operation): Expression | 'refused' {
  try {
    return readQuery({ $expr: operation }, callsCatalog)
  } catch (error) {
    if (error instanceof DomainError && error.type === 'InvalidRequest') return 'refused'
    throw error
  }
}

function expected(operation: Operation): string[] | 'refused' {
  try {
    return rows
      .filter((row) => holds(operation, row) === true)
      .map((row) => row['id'] as string)
      .sort()
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

const show = (operation: Operation): string =>
  JSON.stringify(operation, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))

describe('random queries over random calls', () => {
  test('select the same as a naive evaluator', async () => {
    let selected = 0
    let refused = 0
    for (const { operation, where } of queries) {
      const actual = where === 'refused' ? where : await fixture.select(where)
      expect(`${show(operation)} ${actual}`).toBe(`${show(operation)} ${expected(operation)}`)
      if (actual === 'refused') refused += 1
      else if (actual.length > 0) selected += 1
    }
    console.log(`${queries.length} queries, ${refused} refused, ${selected} with rows`)
    expect(selected).toBeGreaterThan(queries.length / 5)
  }, 1_800_000)

  test('select the same without rewrites, and without any single one', async () => {
    for (const [index, { operation, where }] of queries.entries()) {
      if (where === 'refused') continue
      const whole = await fixture.select(where)
      const without = index % 10 === 0 ? [rewriteNames, ...rewriteNames.map((name) => [name])] : [rewriteNames]
      for (const names of without) {
        expect(`${show(operation)} ${await fixture.select(where, { without: names })}`).toBe(
          `${show(operation)} ${whole}`,
        )
      }
    }
  }, 1_800_000)

  test('are exactly one of true, false and unknown for every call', async () => {
    const all = rows.map((row) => row['id'] as string).sort()
    for (const { operation, where } of queries.slice(0, 1_500)) {
      if (where === 'refused') continue
      const parts = [operation, { $not: [operation] }, { $eq: [operation, { $literal: null }] }]
      const ids = await Promise.all(parts.map((part) => fixture.select(readQuery({ $expr: part }, callsCatalog))))
      expect(ids.flat().sort()).toEqual(all)
    }
  }, 1_800_000)
})
