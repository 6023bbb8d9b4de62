import type { Document } from './documents.ts'
import type { Group } from './navigation.ts'

/** How the files for models begin, as https://llmstxt.org proposes. */
const head = `# tracelake

> tracelake is a self-hosted store for LLM tracing and evaluation, in one process and one folder.
`

/**
 * The index for models: every page of the navigation with its Markdown file.
 *
 * @param folder path of the site as seen from the index, for example `docs/guide/`
 */
export function llmsIndex(navigation: readonly Group[], folder: string): string {
  const groups = navigation.map(({ title, entries }) => {
    const lines = entries.map(({ page, title: name, topics }) => `- [${name}](${folder}${page}.md): ${topics}\n`)
    return `\n## ${title}\n\n${lines.join('')}`
  })
  return `${head}${groups.join('')}\nAll pages of the guide in one file: ${folder}llms-full.txt\n`
}

/** All pages of the guide one after the other. */
export function llmsFull(navigation: readonly Group[], documents: readonly Document[]): string {
  const pages = navigation
    .flatMap(({ entries }) => entries)
    .map(({ page }) => documents.find((document) => document.page === page))
    .filter((document) => document?.file.startsWith('docs/guide/') === true)
  return [head, ...pages.map((document) => document!.text)].join('\n---\n\n')
}
