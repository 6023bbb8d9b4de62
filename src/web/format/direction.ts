const letter = /\p{L}/u
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * The direction that the first letter of a text gives it, as `dir="auto"` does; for where other
 * letters stand before the text. A text that is cut is then cut at its end.
 */
export function directionOf(text: string): 'rtl' | 'ltr' {
  return rightToLeft.test(letter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}
