import { Type } from '@sinclair/typebox'
import { itemAt } from '../../../lib/present.ts'
import { readGuideFiles } from '../../../runtime/platform/files/guide-files.ts'
import { AnswerText } from '../text/answer-text.ts'
import { defineTool } from '../tool.ts'
import { Arguments, requireAccess } from './arguments.ts'

/** A part of the guide below one heading. */
interface Section {
  /** File name of its page. */
  readonly page: string
  /** Title of the page and heading: `Querying calls › List threads`. */
  readonly title: string
  readonly text: string
}

let known: Promise<readonly Section[]> | undefined

/** The sections of the guide, page by page. */
function readSections(): Promise<readonly Section[]> {
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
    else if (!line.startsWith('# ') || isCode) itemAt(sections, sections.length - 1).lines.push(line)
  }
  return sections
    .map(({ title, lines }) => ({ page, title, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '')
}

/** The sections that contain words of a query, the best first. */
function findSections(sections: readonly Section[], query: string): Section[] {
  const words = [...new Set(wordsOf(query))]
  const bodies = sections.map((section) => ({
    section,
    title: wordsOf(section.title),
    text: wordsOf(section.text),
  }))
  const weighed = words.map((word) => {
    const having = bodies.filter(({ title, text }) => title.includes(word) || text.includes(word)).length
    return { word, weight: Math.log(1 + sections.length / (1 + having)) }
  })
  const scoreOf = ({ title, text }: (typeof bodies)[number]) =>
    weighed.reduce((sum, { word, weight }) => {
      const inTitle = title.filter((one) => one === word).length
      const inText = text.filter((one) => one === word).length
      // A word that is repeated counts less each time, and less in a long text.
      const frequency = inText / (inText + 1 + text.length / 200)
      return sum + weight * (2 * Math.min(inTitle, 1) + frequency)
    }, 0)
  return bodies
    .map((body) => ({ section: body.section, score: scoreOf(body) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section)
}

/** Words without their endings, so that `traces` finds `trace`. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))

const sectionsMax = 3
const tokensMax = 2_500

/** Searches the guide of this version. */
export const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the guide',
  description:
    'Searches the guide of this server: the query language, sending traces, evaluations, feedback, datasets. ' +
    'Returns the sections that fit best.',
  input: Arguments({
    query: Type.String({ minLength: 1, maxLength: 400, description: 'A few words' }),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of sections to skip' })),
  }),
  answer: async (context, { project: named, query, skip = 0 }) => {
    requireAccess(context, named)
    const found = findSections(await readSections(), query)
    const answer = new AnswerText(tokensMax)
    const shown = found.slice(skip, skip + sectionsMax)
    answer.add(`${shown.length} of ${found.length} sections of the guide with words of ${JSON.stringify(query)}:`)
    let complete = 0
    for (const { page, title, text } of shown) if (answer.add(`\n## ${title} (${page})\n${text}`)) complete++
    const next = skip + Math.max(1, complete)
    if (next < found.length) answer.next('search_docs', { query, skip: next }, 'the next sections')
    return answer.end()
  },
})
