import { all, type Expression, isAlways } from '../../expression.ts'
import { conjuncts } from '../../row-bounds.ts'
import { mapConditions } from '../../walk.ts'
import { type ClickHouseScope, clickHouseCondition, NotExact } from './condition.ts'
import { ClickHouseParameters } from './parameters.ts'

/** A condition, divided between the two engines. A row meets it if and only if it meets both. */
export interface DividedCondition {
  /** The parts that ClickHouse answers exactly. */
  readonly there: Expression
  /** The parts that it does not. */
  readonly here: Expression
  /** Why it does not answer one of these. */
  readonly reason: NotExact | undefined
}

/**
 * Divides a condition. ClickHouse also looks for what the rows that meet the other parts must
 * contain.
 */
export function divideCondition(where: Expression): DividedCondition {
  const there: Expression[] = []
  const here: Expression[] = []
  let reason: NotExact | undefined
  for (const item of conjuncts(where)) {
    const refusal = refusalOf(item)
    if (refusal === undefined) there.push(item)
    else {
      reason ??= refusal
      here.push(item)
      const needed = neededBy(item)
      if (needed !== undefined && refusalOf(needed) === undefined) there.push(needed)
    }
  }
  // Without the conditions that they belong to, prefilters are worth while.
  const kept = here.length === 0 ? there : there.map(withoutPrefilter).filter((item) => refusalOf(item) === undefined)
  return { there: all(kept), here: all(here), reason }
}

/** Why ClickHouse would not answer a condition exactly; undefined if it does. */
function refusalOf(item: Expression): NotExact | undefined {
  const scope: ClickHouseScope = { parameters: new ClickHouseParameters(), columns: new Map(), doubts: new Set() }
  try {
    clickHouseCondition(item, scope)
    return undefined
  } catch (error) {
    if (error instanceof NotExact) return error
    throw error
  }
}

/** A text that contains a token contains it as a text, too. */
function neededBy(item: Expression): Expression | undefined {
  if (item.kind !== 'hasToken') return undefined
  const { input, token: part, ignoreCase } = item
  return { kind: 'contains', input, part, ignoreCase }
}

const withoutPrefilter = (item: Expression): Expression =>
  mapConditions(item, (part) => {
    if (part.kind !== 'contains' || part.prefilterOf === undefined) return part
    const { prefilterOf: _, ...contains } = part
    return contains
  })

/** Whether nothing is left for DuckDB. */
export const isWholeThere = ({ here }: DividedCondition): boolean => isAlways(here)
