const letter = /\p{L}/u
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * The direction that the first letter of a text gives it, as `dir="auto"` does; for places where
 * other letters precede the text. A truncated text is then truncated at its end.
 */
export function directionOf(text: string): 'rtl' | 'ltr' {
  return rightToLeft.test(letter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** A member of an object that a preview shows; the name is '' if the value is the whole text. */
export interface PreviewPart {
  readonly name: string
  readonly value: string
}

const member = /"((?:[^"\\]|\\.)*)":(?:"((?:[^"\\]|\\.)*)("|$)|([^,"{}[\]]*))/g
const partsMax = 6

/**
 * Splits the preview of a JSON object, which may be cut off anywhere, into its members and those of
 * nested objects. Any other text is one part.
 */
export function previewParts(text: string): PreviewPart[] {
  if (!/^\s*\{\s*"/.test(text)) return [{ name: '', value: text }]
  const parts: PreviewPart[] = []
  for (const [, name, quoted, , plain] of text.matchAll(member)) {
    const value = quoted === undefined ? (plain ?? '').trim() : readable(quoted)
    if (value === '' && quoted === undefined && parts.length > 0 && plain === undefined) continue
    if (value !== '') parts.push({ name: readable(name ?? ''), value })
    if (parts.length === partsMax) break
  }
  return parts.length === 0 ? [{ name: '', value: text }] : parts
}

/** The direction of a preview: that of its values, whatever their names. */
export const directionOfPreview = (text: string): 'rtl' | 'ltr' =>
  directionOf(
    previewParts(text)
      .map(({ value }) => value)
      .join(' '),
  )

const escapes: Readonly<Record<string, string>> = { n: ' ', r: ' ', t: ' ', b: '', f: ' ' }

/** A JSON string without its escapes; one that was cut short loses its last escape. */
const readable = (text: string): string =>
  text
    .replace(/(?<!\\)\\(u[0-9a-fA-F]{0,3})?$/, '')
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
