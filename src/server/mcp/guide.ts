import { readGuideFiles } from '../../runtime/platform/files/guide-files.ts'

/** A part of the guide below one heading. */
export interface Section {
  /** File name of its page. */
  readonly page: string
  /** Title of the page and heading: `Querying calls › List threads`. */
  readonly title: string
  readonly text: string
}

let known: Promise<readonly Section[]> | undefined

/** The sections of the guide, page by page. */
export function readSections(): Promise<readonly Section[]> {
  known ??= readGuideFiles().then((pages) =>
    [...pages].filter(([page]) => page !== 'README.md').flatMap(([page, text]) => sectionsOf(page, text)),
  )
  return known
}

function sectionsOf(page: string, text: string): Section[] {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  const sections: { title: string; lines: string[] }[] = [{ title, lines: [] }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^##+ (.+)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ title: `${title} › ${heading}`, lines: [] })
    else if (!line.startsWith('# ') || isCode) sections.at(-1)!.lines.push(line)
  }
  return sections
    .map(({ title, lines }) => ({ page, title, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '')
}

/** The sections that contain words of a question, the best first. */
export function findSections(sections: readonly Section[], question: string): Section[] {
  const words = [...new Set(wordsOf(question))]
  const bodies = sections.map(({ title, text }) => ({ title: wordsOf(title), text: wordsOf(text) }))
  const weights = words.map((word) => {
    const having = bodies.filter(({ title, text }) => title.includes(word) || text.includes(word)).length
    return Math.log(1 + sections.length / (1 + having))
  })
  const scores = bodies.map(({ title, text }) =>
    words.reduce((sum, word, at) => {
      const inTitle = title.filter((one) => one === word).length
      const inText = text.filter((one) => one === word).length
      // A word that is repeated counts less each time, and less in a long text.
      const frequency = inText / (inText + 1 + text.length / 200)
      return sum + weights[at]! * (2 * Math.min(inTitle, 1) + frequency)
    }, 0),
  )
  return sections
    .map((section, at) => ({ section, score: scores[at]! }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section)
}

/** Words without their endings, so that `traces` finds `trace`. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
