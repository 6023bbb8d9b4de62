import { isRawNumber } from '../../kernel/json-value.ts'

/** What stands at a dotted path (`choices.0.text`) of a JSON value; undefined where there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value
  for (const segment of path.split('.')) {
    if (typeof here !== 'object' || here === null || isRawNumber(here) || !Object.hasOwn(here, segment))
      return undefined
    here = (here as Record<string, unknown>)[segment]
  }
  return here
}
