import { DomainError, quoted } from '../../lib/errors.ts'
import { readGuideFiles } from '../../runtime/platform/files/guide-files.ts'
import { describeTables } from './schema-text.ts'

/** What agents may put into their context as a whole. */
export const resources = [
  {
    uri: 'tracelake://schema',
    name: 'schema',
    title: 'Tables and columns for SQL',
    mimeType: 'text/markdown',
  },
  {
    uri: 'tracelake://guide/questions.md',
    name: 'query-language',
    title: 'Querying calls, and the query language',
    mimeType: 'text/markdown',
  },
] as const

/** @throws DomainError NotFound */
export async function readResource(uri: string) {
  const text = await textAt(uri)
  if (text === undefined) throw new DomainError('NotFound', `There is no resource ${quoted(uri)}`)
  return { uri, mimeType: 'text/markdown', text }
}

async function textAt(uri: string): Promise<string | undefined> {
  if (uri === 'tracelake://schema') return describeTables()
  const page = /^tracelake:\/\/guide\/([\w-]+\.md)$/.exec(uri)?.[1]
  return page === undefined ? undefined : (await readGuideFiles()).get(page)
}
