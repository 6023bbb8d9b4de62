import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'

/**
 * Rejects responses so large that computing them would delay everyone else.
 *
 * @param statistics values per bucket
 * @param models number of models, each with these values
 * @throws DomainError InvalidRequest
 */
export function checkAnswerSize(buckets: number, statistics: number, models = 1): void {
  if (buckets * statistics * models <= operationLimits.statsValuesMax) return
  const perModel = models === 1 ? '' : ` for each of ${models} models`
  throw new DomainError(
    'InvalidRequest',
    `The response would have more than ${operationLimits.statsValuesMax} values: ${statistics} metrics in ` +
      `${buckets} buckets${perModel}; use a coarser granularity, a shorter range or fewer metrics`,
  )
}

/** JSON cannot represent values beyond a double, which the sum of very large numbers may be. */
export const finiteOrNull = (value: number | null): number | null =>
  value === null || Number.isFinite(value) ? value : null
