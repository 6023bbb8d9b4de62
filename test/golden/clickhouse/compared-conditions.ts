import { callsCatalog } from '../../../src/engine/tables/calls-query.ts'
import { DomainError } from '../../../src/lib/errors.ts'
import { type Expression, isAlways } from '../../../src/query/expression.ts'
import { rewrite } from '../../../src/query/rewrite/rewrite.ts'
import { type DividedCondition, divideCondition } from '../../../src/query/sql/clickhouse/division.ts'
import { readQuery } from '../../../src/query/table-plan.ts'
import type { Operation } from '../../conformance/support/query-expression.ts'
import { holds } from '../evaluator.ts'
import type { Random } from '../random.ts'
import { condition } from '../random-query.ts'
import type { ComparedRows } from './compared-rows.ts'
import { type Found, findAtOnce, findByStatement, type Server } from './found-in-clickhouse.ts'

/** So many conditions are parts of one statement; some are statements by themselves, too. */
const conditionsPerStatement = 200
const aloneEvery = 50

/** A condition that ClickHouse answers at least in part. */
interface Compared {
  readonly operation: Operation
  readonly where: Expression
  readonly divided: DividedCondition
}

/** Compares what DuckDB and ClickHouse find by random conditions with the evaluator. */
export class ComparedConditions {
  private readonly server: Server
  private whole = 0
  private divided = 0
  private left = 0
  private doubtful = 0
  private alone = 0
  private withRows = 0

  constructor(server: Server) {
    this.server = server
  }

  /** Conditions that were compared so far. */
  get count(): number {
    return this.whole + this.divided
  }

  get summary(): string {
    return (
      `${this.count} conditions compared: ${this.whole} whole in ClickHouse, ${this.divided} divided; ${this.withRows} ` +
      `with calls, ${this.doubtful} with calls for which engines may differ, ${this.alone} as statements of their own; ` +
      `${this.left} others are DuckDB's alone`
    )
  }

  /** Compares so many conditions on some rows. @returns the differences */
  async compare(random: Random, rows: ComparedRows, count: number): Promise<string[]> {
    const differences: string[] = []
    for (let done = 0; done < count; ) {
      const batch = this.batch(random, Math.min(conditionsPerStatement, count - done))
      const found = await findAtOnce(
        this.server,
        rows.files,
        batch.map(({ divided }) => divided.there),
      )
      for (const [index, each] of batch.entries()) {
        differences.push(...(await this.differences(each, rows, found[index] ?? { ids: [], doubts: 0 })))
        if (index % aloneEvery !== 0) continue
        this.alone += 1
        const own = await findByStatement(this.server, rows.files, each.divided.there)
        differences.push(...(await this.inClickHouse(each, rows, own)))
      }
      done += batch.length
    }
    return differences
  }

  private batch(random: Random, count: number): Compared[] {
    const batch: Compared[] = []
    while (batch.length < count) {
      const operation = condition(random, random.below(4))
      const where = readOrRefuse(operation)
      if (where === undefined) continue
      const divided = divideCondition(rewrite(where))
      // Nothing to ask for.
      if (isAlways(divided.there)) this.left += 1
      else batch.push({ operation, where, divided })
    }
    return batch
  }

  private async differences(each: Compared, rows: ComparedRows, found: Found): Promise<string[]> {
    if (isAlways(each.divided.here)) this.whole += 1
    else this.divided += 1
    if (found.doubts > 0) this.doubtful += 1
    const expected = expectedIds(each, rows)
    if (expected.length > 0) this.withRows += 1
    const here = await rows.fixture.select(each.where)
    return [...difference('DuckDB', each, here, expected), ...(await this.inClickHouse(each, rows, found))]
  }

  /** DuckDB tests the other conditions on what was found. */
  private async inClickHouse(each: Compared, rows: ComparedRows, found: Found): Promise<string[]> {
    if (found.doubts > 0) return []
    const others = isAlways(each.divided.here) ? undefined : new Set(await rows.fixture.select(each.divided.here))
    const ids = found.ids.filter((id) => others === undefined || others.has(id)).toSorted()
    return difference('ClickHouse', each, ids, expectedIds(each, rows))
  }
}

function readOrRefuse(operation: Operation): Expression | undefined {
  try {
    return readQuery({ $expr: operation }, callsCatalog)
  } catch (error) {
    if (error instanceof DomainError && error.type === 'InvalidRequest') return undefined
    throw error
  }
}

const expectedIds = ({ operation }: Compared, { rows }: ComparedRows): string[] =>
  rows
    .filter((row) => holds(operation, row) === true)
    .map((row) => String(row['id']))
    .toSorted()

function difference(engine: string, { operation }: Compared, found: readonly string[], expected: readonly string[]) {
  if (found.join() === expected.join()) return []
  const query = JSON.stringify(operation, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return [`${engine} finds ${found.join() || 'nothing'} instead of ${expected.join() || 'nothing'}: ${query}`]
}
