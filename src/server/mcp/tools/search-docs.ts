import { Type } from '@sinclair/typebox'
import { findSections, readSections } from '../guide.ts'
import { AnswerText } from '../text/answer-text.ts'
import { defineTool } from '../tool.ts'
import { Arguments, requireAccess } from './arguments.ts'

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
