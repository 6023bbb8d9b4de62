import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { type CallsPlan, type Relations, readsCost, readsUsage } from '../../query/calls-plan.ts'
import type { Field } from '../../query/catalog.ts'
import { compileUsedModels } from '../../query/sql/usage-fields.ts'
import type { TimedRate } from '../../query/usage-source.ts'
import type { ProjectReader } from '../access/index.ts'
import { type Costs, timedRates } from '../costs/index.ts'
import { relationsOf } from './plan.ts'

/**
 * The data files and memtables that a plan has to read, with the usage of calls and its prices if
 * it names them.
 *
 * @param more fields that are read besides those of the plan
 * @throws DomainError InvalidRequest for more prices than a query can compare with
 */
export async function pricedRelations(
  costs: Costs,
  snapshot: Snapshot,
  plan: CallsPlan,
  reader: ProjectReader,
  more: readonly Field[] = [],
): Promise<Relations> {
  const relations = await relationsOf(snapshot, plan, more)
  if (!readsUsage(plan)) return relations
  const rates = readsCost(plan) ? await ratesOf(costs, snapshot, reader) : []
  return { ...relations, usage: { calls: relations.traces, rates } }
}

async function ratesOf(costs: Costs, snapshot: Snapshot, reader: ProjectReader): Promise<TimedRate[]> {
  const models = await snapshot.rows(compileUsedModels(snapshot.relation(callsTable.name), reader.projectId))
  const prices = await costs.priceBook(snapshot, reader)
  const rates: TimedRate[] = []
  for (const [model, from, through] of models as [string, number, number][]) {
    rates.push(...timedRates(model, prices.pricesBetween(model, from, through)))
    if (rates.length > queryLimits.queryRatesMax) {
      throw new DomainError(
        'InvalidRequest',
        `Cannot filter or sort by cost: the models of this project have more than ${queryLimits.queryRatesMax} prices`,
      )
    }
  }
  return rates
}
