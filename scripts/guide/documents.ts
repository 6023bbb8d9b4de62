import path from 'node:path'

/** A document of the site. */
export interface Document {
  /** Path from the root of the repository. */
  readonly file: string
  /** Path of its page below the root of the site, for example `clients/langgraph`. */
  readonly page: string
  /** Its first heading. */
  readonly title: string
  /** Markdown, as it is in the repository. */
  readonly text: string
}

/** Where the documents of a folder are in the site, the first that fits. */
const places: readonly (readonly [pattern: string, pageOf: (name: string) => string])[] = [
  ['docs/guide/README.md', () => 'index'],
  ['docs/guide/**/*.md', (name) => name.slice('docs/guide/'.length, -'.md'.length)],
  ['docs/decisions/README.md', () => 'decisions'],
  ['docs/decisions/*.md', (name) => name.slice('docs/'.length, -'.md'.length)],
  ['docs/*.md', (name) => name.slice('docs/'.length, -'.md'.length)],
  ['README.md', () => 'overview'],
  ['{CHANGELOG,CONTRIBUTING}.md', (name) => name.slice(0, -'.md'.length).toLowerCase()],
  ['data/README.md', () => 'data-folder'],
]

/** Every document of the site, by the path of its page. */
export async function readDocuments(repository: string): Promise<readonly Document[]> {
  const found = new Map<string, string>()
  for (const [pattern, pageOf] of places)
    for (const name of new Bun.Glob(pattern).scanSync(repository)) {
      const file = name.replaceAll('\\', '/')
      if (!found.has(file)) found.set(file, pageOf(file))
    }
  const documents = [...found].map(async ([file, page]) => {
    const text = await Bun.file(path.join(repository, file)).text()
    return { file, page, title: titleOf(text, file), text }
  })
  return (await Promise.all(documents)).sort((a, b) => (a.page < b.page ? -1 : 1))
}

function titleOf(text: string, file: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (title === undefined) throw new Error(`Build the guide: ${file} has no first heading`)
  return title.replaceAll('`', '')
}
