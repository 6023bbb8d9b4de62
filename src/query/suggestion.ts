import { closest } from 'fastest-levenshtein'

/** Characters of an unknown name that are compared; longer names would only cost time. */
const comparedCharsMax = 64

/**
 * The end of an error message about an unknown name: `; did you mean "op_name"?`. Empty without
 * known names.
 */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  return `; did you mean "${closest(name.slice(0, comparedCharsMax), known)}"?`
}
