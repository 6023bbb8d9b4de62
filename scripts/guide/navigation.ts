import path from 'node:path'
import type { Document } from './documents.ts'

/** A page in the navigation. */
export interface Entry {
  readonly page: string
  readonly title: string
  /** What the page is about, in a line of Markdown. */
  readonly topics: string
}

/** Pages below a heading of the contents. */
export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** A row `| [Title](file.md) | topics |` of the contents. */
const row = /^\| \[(.+?)\]\(([^)#]+)\) \| (.+) \|$/

/**
 * The navigation, which is the contents that docs/guide/README.md lists: a table below each heading
 * of the second level.
 *
 * @throws Error if a row leads to no document
 */
export function readNavigation(documents: readonly Document[]): readonly Group[] {
  const contents = documents.find(({ page }) => page === 'index')
  if (contents === undefined) throw new Error('Build the guide: docs/guide/README.md is missing')
  const groups: { title: string; entries: Entry[] }[] = []
  for (const line of contents.text.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) groups.push({ title: heading, entries: [] })
    const [, title, target, topics] = row.exec(line) ?? []
    if (title === undefined) continue
    const file = path.posix.join(path.posix.dirname(contents.file), target!)
    const document = documents.find((one) => one.file === file)
    if (document === undefined) throw new Error(`Build the guide: the contents list ${file}, which does not exist`)
    groups.at(-1)?.entries.push({ page: document.page, title, topics: topics! })
  }
  return groups.filter(({ entries }) => entries.length > 0)
}
