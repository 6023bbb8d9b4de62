import { openReadOnly } from '../../engine/read-only.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { sqlLimits } from '../../lib/limits/sql.ts'
import { textIn } from '../../lib/typed-rows.ts'
import { usageByModelSql } from '../../query/sql/usage-prices.ts'
import { ConfigError } from '../../runtime/config/config-error.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { timedRates } from '../costs/index.ts'
import { projectPrices } from '../sql/index.ts'
import type { ProjectRate } from './sql/views/prices.ts'

/** The year 2100, in microseconds: prices that are known to change later do not matter. */
const latest = Date.UTC(2100, 0, 1) * 1000

/**
 * The prices of the models that the calls of a data folder use, for all times.
 *
 * @param projectId the only project; all if undefined
 * @throws ConfigError for too many
 */
export async function usedRates({
  projectId,
  ...folder
}: {
  readonly dataFolder: string
  readonly memoryBytesMax: number
  readonly temporaryFolder: string
  readonly projectId: string | undefined
}): Promise<ProjectRate[]> {
  const tables = [callsTable, costsTable]
  const opened = await openReadOnly({ ...folder, tables, ...(projectId !== undefined && { projectId }) })
  const writer = new Writer(await opened.database.connect())
  try {
    const prices = await projectPrices(writer)
    const used = usageByModelSql(`SELECT * FROM "${callsTable.name}"`, { project_id: 'g.project_id' }, [])
    const models = await writer.rows(
      `SELECT DISTINCT project_id, model FROM (${used}) WHERE model IS NOT NULL ORDER BY project_id, model`,
    )
    const rates = models.flatMap(([project, model]) => ratesOf(textIn(project), textIn(model), prices))
    if (rates.length > sqlLimits.viewPricesMax)
      throw new ConfigError(
        `The calls use models with ${rates.length} prices, more than the ${sqlLimits.viewPricesMax} that a view ` +
          'lists; name one project with --project',
      )
    return rates
  } finally {
    writer.close()
    opened.close()
  }
}

function ratesOf(projectId: string, model: string, prices: Awaited<ReturnType<typeof projectPrices>>): ProjectRate[] {
  const spans = prices(projectId).pricesBetween(model, 0, latest)
  const lastIndex = spans.length - 1
  // Earlier calls have the first price, later ones the last.
  const whole = spans.map((span, index) => ({
    ...span,
    from: index === 0 ? Number.MIN_SAFE_INTEGER : span.from,
    until: index === lastIndex ? Number.MAX_SAFE_INTEGER : span.until,
  }))
  return timedRates(model, whole).map((rate) => ({ ...rate, projectId }))
}
