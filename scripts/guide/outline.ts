/** A heading of a page. */
export interface Heading {
  readonly level: number
  readonly text: string
  /** Fragment of its address. */
  readonly id: string
}

/** A part of a page below one heading, as the search knows it. */
export interface Section {
  readonly heading: Heading
  readonly text: string
}

/** Fragment of a heading, as GitHub derives it. */
export const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

/** The sections of a document in Markdown. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: Heading; lines: string[] }[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks, written = ''] = (isCode ? undefined : /^(#{1,4}) (.+)$/.exec(line)) ?? []
    if (marks === undefined) sections.at(-1)?.lines.push(line)
    else
      sections.push({
        heading: { level: marks.length, text: plainText(written), id: fragmentOf(written) },
        lines: [],
      })
  }
  return sections.map(({ heading, lines }) => ({ heading, text: plainText(lines.join('\n')) }))
}

/** Markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->|<[a-z/][^>]*>/gi, ' ')
    .replace(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replace(/^```.*$|^\|[-| ]+\|$/gm, ' ')
    .replace(/[`*|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
