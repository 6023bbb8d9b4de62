const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Text of XML without its entities. */
function plainText(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[String(name)] ?? whole
  })
}

/** The contents of each element of that name. For the flat documents of S3 and STS. */
export function elementsOf(document: string, name: string): string[] {
  const found = document.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'))
  return [...found].map(([, content = '']) => content)
}

/** The text of the first element of that name; undefined if there is none. */
export function elementText(document: string, name: string): string | undefined {
  const [first] = elementsOf(document, name)
  return first === undefined ? undefined : plainText(first)
}

/** A text as the content of an element. */
export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
