/** A value that a judge gave. */
export type ScoreValue = number | boolean | string

/** How the scores of one name are shown: passed or not, as numbers, or as texts. */
export type ScoreType = 'verdict' | 'number' | 'text'

/**
 * The type that all values of one name have. Zeros and ones alone are verdicts, as truth values
 * are; beside other numbers they are numbers. Values of several types are texts.
 */
function scoreTypeOf(values: readonly ScoreValue[]): ScoreType {
  if (values.every((value) => typeof value === 'boolean' || value === 0 || value === 1)) return 'verdict'
  return values.every((value) => typeof value === 'number') ? 'number' : 'text'
}

/** Types by name. */
export function scoreTypes(
  scores: readonly { readonly name: string; readonly value: ScoreValue }[],
): ReadonlyMap<string, ScoreType> {
  const byName = Map.groupBy(scores, ({ name }) => name)
  return new Map([...byName].map(([name, own]) => [name, scoreTypeOf(own.map(({ value }) => value))]))
}

/**
 * The value that a person typed, as the scores of that name have it; undefined if it cannot be
 * one. Without earlier scores, numbers and truth values are such, and anything else is a text.
 */
export function writtenScore(text: string, earlier: ScoreValue | undefined): ScoreValue | undefined {
  const value = text.trim()
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : undefined
  const truth = { true: true, false: false }[value.toLowerCase()]
  switch (typeof earlier) {
    case 'string':
      return value
    case 'number':
      return number
    case 'boolean':
      return truth ?? (number === 1 ? true : number === 0 ? false : undefined)
    default:
      return truth ?? number ?? value
  }
}
