import type { AssetNames } from './build-assets.ts'
import type { Document } from './documents.ts'
import type { Entry, Group } from './navigation.ts'
import { type Heading, plainText, sectionsOf } from './outline.ts'

/** What the layout shows around the content of a page. */
export interface PageData {
  readonly layout: 'page.njk'
  readonly title: string
  readonly description: string
  /** Address of the Markdown file of the page, relative to the page, as all addresses here. */
  readonly markdown: string
  /** Address of the first page. */
  readonly home: string
  /** Path from the page to the root of the site: empty, or `../` as often as needed. */
  readonly up: string
  readonly navigation: readonly {
    readonly title: string
    readonly links: readonly { readonly title: string; readonly href: string; readonly isCurrent: boolean }[]
  }[]
  readonly headings: readonly Heading[]
  readonly previous?: { readonly title: string; readonly href: string }
  readonly next?: { readonly title: string; readonly href: string }
  readonly assets: AssetNames
}

export function pageData(document: Document, navigation: readonly Group[], assets: AssetNames): PageData {
  const up = '../'.repeat(document.page.split('/').length - 1)
  const hrefOf = ({ page }: Entry): string => `${up}${page}`
  const entries = navigation.flatMap((group) => group.entries)
  const at = entries.findIndex(({ page }) => page === document.page)
  const beside = (index: number) => {
    const entry = at === -1 ? undefined : entries[index]
    return entry === undefined ? undefined : { title: entry.title, href: hrefOf(entry) }
  }
  // A decision is found by way of their list.
  const current = document.page.startsWith('decisions/') ? 'decisions' : document.page
  const [previous, next] = [beside(at - 1), document.page === 'index' ? linkTo(entries[0], hrefOf) : beside(at + 1)]
  return {
    layout: 'page.njk',
    title: document.title,
    description: plainText(entries[at]?.topics ?? document.title),
    markdown: `${up}${document.page}.md`,
    home: up || './',
    up,
    navigation: navigation.map((group) => ({
      title: group.title,
      links: group.entries.map((entry) => ({
        title: entry.title,
        href: hrefOf(entry),
        isCurrent: entry.page === current,
      })),
    })),
    headings: sectionsOf(document.text)
      .map(({ heading }) => heading)
      .filter(({ level }) => level === 2 || level === 3),
    ...(previous !== undefined && { previous }),
    ...(next !== undefined && { next }),
    assets,
  }
}

const linkTo = (entry: Entry | undefined, hrefOf: (entry: Entry) => string) =>
  entry === undefined ? undefined : { title: entry.title, href: hrefOf(entry) }
