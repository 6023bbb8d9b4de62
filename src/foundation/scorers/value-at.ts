import { isRawNumber } from '../../kernel/json-value.ts'

/** The value at a dotted path (`choices.0.text`) in a JSON value; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value
  for (const segment of path.split('.')) {
    if (typeof here !== 'object' || here === null || isRawNumber(here) || !Object.hasOwn(here, segment))
      return undefined
    here = (here as Record<string, unknown>)[segment]
  }
  return here
}
