import type { Document } from './documents.ts'
import type { Group } from './navigation.ts'
import { sectionsOf } from './outline.ts'

/** A section as the search in the browser loads it. */
export interface SearchedSection {
  /** Address from the root of the site. */
  readonly href: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** Documents that are long lists of what once changed would hide the others. */
const isSearched = ({ file }: Document): boolean => !file.includes('/decisions/') && file !== 'CHANGELOG.md'

/** The sections of the documents that the search covers, in the order of the navigation. */
export function searchSections(documents: readonly Document[], navigation: readonly Group[]): SearchedSection[] {
  const order = navigation.flatMap(({ entries }) => entries.map(({ page }) => page))
  return documents
    .filter(isSearched)
    .toSorted((a, b) => order.indexOf(a.page) - order.indexOf(b.page))
    .flatMap(({ page, title, text }) =>
      sectionsOf(text).map(({ heading, text: content }) => ({
        href: `${page === 'index' ? '' : page}${heading.level === 1 ? '' : `#${heading.id}`}`,
        page: title,
        heading: heading.level === 1 ? '' : heading.text,
        text: content,
      })),
    )
}
