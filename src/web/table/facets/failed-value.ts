import { failedStatus } from '../../../lib/failed-calls.ts'

/** A value of a field and how often it occurs. */
export interface CountedValue {
  readonly value: unknown
  readonly count: number
}

/** Whether all calls with a status count as `failed`. Of those that still run, some may. */
export const isPartOfFailed = (status: unknown): boolean => status === 'error' || status === 'descendant_error'

/**
 * Statuses with the value `failed`, which stands right before its parts.
 * @param runs statuses of the calls that still run although a call inside has failed
 */
export function withFailed(values: readonly CountedValue[], runs: readonly CountedValue[]): readonly CountedValue[] {
  const parts = values.filter(({ value }) => isPartOfFailed(value))
  const count = [...parts, ...runs].reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return values
  const others = values.filter(({ value }) => !isPartOfFailed(value))
  const at = others.findIndex((other) => other.count < count)
  return others.toSpliced(at < 0 ? others.length : at, 0, { value: failedStatus, count }, ...parts)
}
