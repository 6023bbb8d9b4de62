import { v5 as hashedUuid } from 'uuid'

const namespace = '8f0c9a52-54cb-5d0e-9b6e-3a1c2d6f7e10'

/** The same UUID for the same parts, on every run, so that sending twice stores once. */
export function stableId(...parts: readonly (string | number)[]): string {
  return hashedUuid(JSON.stringify(parts), namespace)
}
