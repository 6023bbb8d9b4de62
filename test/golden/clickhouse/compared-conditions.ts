import {
  containsAny,
  isText,
  needlesOf,
  searchedColumns,
} from '../../../src/domains/calls/exploration/searched-texts.ts'
import { callsCatalog, callsOrder } from '../../../src/engine/tables/calls-query.ts'
import { DomainError } from '../../../src/lib/errors.ts'
import { itemAt } from '../../../src/lib/present.ts'
import { type Expression, isAlways } from '../../../src/query/expression.ts'
import { rewrite } from '../../../src/query/rewrite/rewrite.ts'
import { parseSort } from '../../../src/query/sort.ts'
import { type DividedCondition, divideCondition, isWholeThere } from '../../../src/query/sql/clickhouse/division.ts'
import { compileRows } from '../../../src/query/sql/statements.ts'
import { readQuery } from '../../../src/query/table-plan.ts'
import type { ClickHouseServer } from '../../../src/runtime/clickhouse/clickhouse-server.ts'
import { type DataRow, holds } from '../evaluator.ts'
import { projectId } from '../fixture.ts'
import type { Random } from '../random.ts'
import { type Json, print, texts } from '../random-json.ts'
import { condition } from '../random-query.ts'
import type { ComparedRows } from './compared-rows.ts'
import { countByStatement, type Found, findAtOnce, findByStatement } from './found-in-clickhouse.ts'

/** So many conditions are parts of one statement; some are statements by themselves, too. */
const conditionsPerStatement = 200
const aloneEvery = 50
/** The share of conditions that search all texts of a call, as `/calls/search` does. */
const searchesOf = 20

const orders = ['started_at', 'ended_at', 'op_name', 'display_name', 'exception', 'parent_id', 'ext_run_step']

/** A condition that ClickHouse answers at least in part. */
interface Compared {
  /** Its outermost operation. */
  readonly kind: string
  readonly shown: unknown
  readonly where: Expression
  readonly divided: DividedCondition
  /** What an evaluator says that shares no code with either compiler. */
  readonly holds: (row: DataRow) => boolean
}

/** Compares what DuckDB and ClickHouse find by random conditions with the evaluator. */
export class ComparedConditions {
  private readonly server: ClickHouseServer
  /** Questions by kind. */
  private readonly asked = new Map<string, number>()
  private whole = 0
  private divided = 0
  private left = 0
  private doubtful = 0
  private withRows = 0

  constructor(server: ClickHouseServer) {
    this.server = server
  }

  /** Conditions that were compared so far. */
  get count(): number {
    return this.whole + this.divided
  }

  get summary(): string {
    const kinds = [...this.asked].toSorted(([, m], [, n]) => n - m).map(([kind, count]) => `${count} ${kind}`)
    return (
      `${this.count} conditions compared: ${this.whole} whole in ClickHouse, ${this.divided} divided; ${this.withRows} ` +
      `with calls, ${this.doubtful} with calls for which engines may differ; ${this.left} others are DuckDB's alone; ` +
      `by kind: ${kinds.join(', ')}`
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
        if (index % aloneEvery === 0) differences.push(...(await this.alone(random, each, rows)))
      }
      done += batch.length
    }
    return differences
  }

  private batch(random: Random, count: number): Compared[] {
    const batch: Compared[] = []
    while (batch.length < count) {
      const each = random.below(searchesOf) === 0 ? searchOf(random.pick(texts)) : conditionOf(random)
      if (each === undefined) continue
      // Nothing to ask for.
      if (isAlways(each.divided.there)) this.left += 1
      else batch.push(each)
    }
    return batch
  }

  private async differences(each: Compared, rows: ComparedRows, found: Found): Promise<string[]> {
    this.add(each.kind)
    if (isWholeThere(each.divided)) this.whole += 1
    else this.divided += 1
    if (found.doubts > 0) this.doubtful += 1
    const expected = expectedIds(each, rows)
    if (expected.length > 0) this.withRows += 1
    const here = await rows.fixture.select(each.where)
    return [...difference('DuckDB', each, here, expected), ...(await this.inClickHouse(each, rows, found))]
  }

  /** By the statements of the product: all calls; their number, and a page of them. */
  private async alone(random: Random, each: Compared, rows: ComparedRows): Promise<string[]> {
    const { there } = each.divided
    this.add('statements that find calls')
    const differences = await this.inClickHouse(each, rows, await findByStatement(this.server, rows.files, there))
    if (!isWholeThere(each.divided)) return differences
    const counted = await countByStatement(this.server, rows.files, there)
    if (counted.doubts > 0) return differences
    this.add('statements that count')
    const count = String(expectedIds(each, rows).length)
    differences.push(...difference('ClickHouse', each, [String(counted.count)], [count]))
    this.add('statements that find a page')
    const sort = parseSort([{ field: random.pick(orders), direction: random.pick(['asc', 'desc']) }], callsOrder)
    const page = { sort, limit: 1 + random.below(rows.rows.length) }
    const first = await findByStatement(this.server, rows.files, there, page)
    const { calls: relation } = rows.fixture
    const here = await rows.fixture.rows(
      compileRows({ relation, projectId, where: each.where, columns: ['id'], ...page }),
    )
    const wanted = here.map(([id]) => String(id))
    return [...differences, ...difference('A page in ClickHouse', each, first.ids, wanted)]
  }

  /** DuckDB tests the other conditions on what was found. */
  private async inClickHouse(each: Compared, rows: ComparedRows, found: Found): Promise<string[]> {
    if (found.doubts > 0) return []
    const others = isAlways(each.divided.here) ? undefined : new Set(await rows.fixture.select(each.divided.here))
    const ids = found.ids.filter((id) => others === undefined || others.has(id)).toSorted()
    return difference('ClickHouse', each, ids, expectedIds(each, rows))
  }

  private add(kind: string): void {
    this.asked.set(kind, (this.asked.get(kind) ?? 0) + 1)
  }
}

function conditionOf(random: Random): Compared | undefined {
  const operation = condition(random, random.below(4))
  try {
    const where = readQuery({ $expr: operation }, callsCatalog)
    const divided = divideCondition(rewrite(where))
    const [kind] = Object.keys(operation)
    return { kind: kind ?? '', shown: operation, where, divided, holds: (row) => holds(operation, row) === true }
  } catch (error) {
    if (error instanceof DomainError && error.type === 'InvalidRequest') return undefined
    throw error
  }
}

/** A text that is searched in all texts of a call. */
function searchOf(text: string): Compared {
  const needles = needlesOf(text)
  const where = containsAny(needles)
  const holds = (row: DataRow) =>
    searchedColumns.some((column, at) => textOf(row, column)?.toLowerCase().includes(itemAt(needles, at)) === true)
  return { kind: 'search', shown: text, where, divided: divideCondition(rewrite(where)), holds }
}

function textOf(row: DataRow, column: string): string | undefined {
  const value = row[column] ?? undefined
  return value === undefined || isText(column) ? (value as string | undefined) : print(value as Json)
}

const expectedIds = ({ holds }: Compared, { rows }: ComparedRows): string[] =>
  rows
    .filter((row) => holds(row))
    .map((row) => String(row['id']))
    .toSorted()

function difference(engine: string, { shown }: Compared, found: readonly string[], expected: readonly string[]) {
  if (found.join() === expected.join()) return []
  const query = JSON.stringify(shown, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return [`${engine} finds ${found.join() || 'nothing'} instead of ${expected.join() || 'nothing'}: ${query}`]
}
