import { DomainError, quoted } from '../../../lib/errors.ts'
import { compareTimes } from '../../../lib/time.ts'
import type { ListedRun, RunListRequest } from '../model/run-list.ts'

const sortFields = {
  started_at: (run: ListedRun) => run.started_at,
  cost: (run: ListedRun) => run.cost,
  latency_p50_seconds: (run: ListedRun) => run.latency_p50_seconds,
  rows_scored: (run: ListedRun) => run.rows_scored,
} as const

type Place = readonly [value: string | number | null, startedAt: string, id: string]

/**
 * The order of a request, and how its pages follow each other. @throws DomainError InvalidRequest
 */
export function orderOf({ sort_by }: RunListRequest) {
  const { field, direction } = sort_by ?? { field: 'started_at', direction: 'desc' as const }
  const sortValue = valueBy(field)
  const place = (run: ListedRun): Place => [sortValue(run), run.started_at, run.evaluation_call_id]
  const sign = direction === 'asc' ? 1 : -1
  const compare = ([a, aTime, aId]: Place, [b, bTime, bId]: Place): number => {
    // What has no value comes last, whatever the direction.
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1
    } else {
      const order = compareValues(a, b) * sign
      if (order !== 0) return order
    }
    return compareTimes(bTime, aTime) || (aId < bId ? -1 : 1)
  }
  return {
    compare: (a: ListedRun, b: ListedRun) => compare(place(a), place(b)),
    placeOf: (run: ListedRun) => JSON.stringify(place(run)),
    after: (runs: readonly ListedRun[], text: string) => {
      const last = placeIn(text)
      return runs.filter((run) => run.evaluation_call_id !== last[2] && compare(last, place(run)) < 0)
    },
  }
}

/** Times are the only values that are texts. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTimes(a, b)
  return a === b ? 0 : a < b ? -1 : 1
}

function valueBy(field: string): (run: ListedRun) => string | number | null {
  const known = Object.entries(sortFields).find(([name]) => name === field)
  if (known !== undefined) return known[1]
  if (!field.startsWith('scores.')) {
    const choice = [...Object.keys(sortFields), 'scores.<score>'].join(', ')
    throw new DomainError('InvalidRequest', `Cannot sort runs by ${quoted(field)}: use ${choice}`)
  }
  const name = field.slice('scores.'.length)
  return ({ scores }) => scores.find(({ score }) => score === name)?.value ?? null
}

function placeIn(text: string): Place {
  try {
    const place: unknown = JSON.parse(text)
    if (Array.isArray(place) && place.length === 3 && typeof place[1] === 'string' && typeof place[2] === 'string')
      return [typeof place[0] === 'string' || typeof place[0] === 'number' ? place[0] : null, place[1], place[2]]
  } catch {
    // It is no JSON; said below, as of any other text that is no place.
  }
  throw new DomainError('InvalidRequest', `Invalid \`after\` ${quoted(text)}: use \`next\` of the page before`)
}
