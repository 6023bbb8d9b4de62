import { existsSync } from 'node:fs'
import path from 'node:path'

export const root = path.join(import.meta.dir, '../..')

export interface Document {
  /** Path from the root of the repository. */
  readonly file: string
  readonly text: string
}

const patterns = ['*.md', 'data/README.md', 'docs/**/*.md', 'scripts/**/*.md', 'test/**/*.md']

/** Every Markdown document of the repository, in the order of its path. */
export async function readDocuments(): Promise<Document[]> {
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  // scripts/guide has packages of its own.
  const own = files.filter((file) => !file.includes('node_modules'))
  return Promise.all(own.sort().map(async (file) => ({ file, text: await Bun.file(path.join(root, file)).text() })))
}

const sourcePattern = '{src,scripts,test}/**/*.{ts,tsx,js,py}'

/** Every source of the product, its tests and its scripts. */
export async function readSources(): Promise<Document[]> {
  const files = [...new Bun.Glob(sourcePattern).scanSync({ cwd: root })]
  const own = files.filter((file) => !file.includes('node_modules'))
  return Promise.all(own.map(async (file) => ({ file, text: await Bun.file(path.join(root, file)).text() })))
}

/** Paths of files and folders below `src`, `scripts` and `test` that `text` names. */
export function pathsIn(text: string): string[] {
  const paths = [...text.matchAll(/(?<![\w/.@-])(?:src|scripts|test)\/[\w./-]*\w/g)]
  return paths.map(([named]) => named)
}

/** Targets of the relative links in `text`. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.includes(':'))
}

/**
 * Whether `link`, found in `file`, names an existing file and, with a fragment, a heading in it.
 */
export async function resolvesIn(file: string, link: string): Promise<boolean> {
  const [target = '', fragment] = link.split('#')
  const linked = path.join(root, target === '' ? file : path.join(path.dirname(file), target))
  if (!existsSync(linked)) return false
  return fragment === undefined || fragmentsOf(await Bun.file(linked).text()).includes(fragment)
}

/** Fragments as GitHub derives them from headings. */
function fragmentsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Lines of `text` that are not rows of tables, with their numbers from 1. */
export function linesOutsideTables(text: string): { readonly line: string; readonly number: number }[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => !line.startsWith('|'))
}
