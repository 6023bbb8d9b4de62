const letter = /\p{L}/u
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * The direction that the first letter of a text gives it, as `dir="auto"` does; for places where
 * other letters precede the text. A truncated text is then truncated at its end.
 */
export function directionOf(text: string): 'rtl' | 'ltr' {
  return rightToLeft.test(letter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}
