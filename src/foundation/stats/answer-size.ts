import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

/**
 * Refuses answers so large that making them would hold up everybody else.
 *
 * @param figures in each bucket
 * @param models for each of which there are these figures
 * @throws DomainError InvalidRequest
 */
export function checkAnswerSize(buckets: number, figures: number, models = 1): void {
  if (buckets * figures * models <= limits.statsFiguresMax) return
  const perModel = models === 1 ? '' : ` for each of ${models} models`
  throw new DomainError(
    'InvalidRequest',
    `The response would have more than ${limits.statsFiguresMax} values: ${figures} metrics in ${buckets} ` +
      `buckets${perModel}; use a coarser granularity, a shorter range or fewer metrics`,
  )
}
