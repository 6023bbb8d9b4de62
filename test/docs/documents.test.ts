import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { linesOutsideTables, linksIn, pathsIn, readDocuments, readSources, resolvesIn, root } from './documents.ts'

const documents = await readDocuments()
const fromRoot = (file: string): string => path.join(root, file)

test('every relative link leads to a file, and its fragment to a heading', async () => {
  const broken: string[] = []
  for (const { file, text } of documents)
    for (const link of linksIn(text)) if (!(await resolvesIn(file, link))) broken.push(`${file}: ${link}`)
  expect(broken).toEqual([])
})

test('the list of decisions has every decision under its own title', async () => {
  const folder = 'docs/decisions'
  const index = await Bun.file(path.join(root, folder, 'README.md')).text()
  const listed = [...index.matchAll(/^\| \[(\d{3})\]\((.+?)\) \| (.+) \|$/gm)].map(([, number, file, title]) => ({
    file: `${folder}/${file}`,
    heading: `# ${number}: ${title}`,
  }))
  const written = documents
    .filter(({ file }) => file.startsWith(`${folder}/`) && !file.endsWith('README.md'))
    .map(({ file, text }) => ({ file, heading: text.slice(0, text.indexOf('\n')) }))
  expect(written.length).toBeGreaterThan(60)
  expect(listed).toEqual(written.sort((a, b) => a.file.localeCompare(b.file)))
})

test('every decision has its context before the decision', () => {
  const decisions = documents.filter(({ file }) => file.startsWith('docs/decisions/') && !file.endsWith('README.md'))
  const headings = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  const wrong = decisions.filter(({ text }) => headings(text).slice(0, 2).join() !== 'Context,Decision')
  expect(wrong.map(({ file }) => file)).toEqual([])
})

test('no line is wider than 120 columns, tables aside', () => {
  const wide = documents.flatMap(({ file, text }) =>
    linesOutsideTables(text)
      .filter(({ line }) => line.length > 120)
      .map(({ number }) => `${file}:${number}`),
  )
  expect(wide).toEqual([])
})

test('every decision is cited by a source or by a page of the guide', async () => {
  const guide = documents.filter(({ file }) => file.startsWith('docs/guide/'))
  const cited = new Set(
    [...guide, ...(await readSources())].flatMap(({ text }) => text.match(/decisions\/\d{3}-[a-z0-9-]+\.md/g) ?? []),
  )
  const decisions = documents.filter(({ file }) => /^docs\/decisions\/\d/.test(file))
  const uncited = decisions.map(({ file }) => file).filter((file) => !cited.has(file.slice('docs/'.length)))
  // Add "See docs/decisions/NNN-….md." to the doc comment of the main export that it explains.
  expect(uncited).toEqual([])
})

test('every decision that a source cites exists', async () => {
  const cited = (await readSources()).flatMap(({ file, text }) =>
    [...text.matchAll(/docs\/decisions\/\d[a-z0-9-]*(?:\.md)?/g)].map(([path]) => ({ file, path })),
  )
  expect(cited.filter(({ path }) => !existsSync(fromRoot(path)))).toEqual([])
})

/** The test of the operation that CONTRIBUTING.md adds. */
const ofExample = 'test/conformance/feedback/count.test.ts'

test('every path below src, scripts or test that a document names exists', async () => {
  const changes = await Bun.file(fromRoot('scripts/three-changes/changes.ts')).text()
  const missing = documents.flatMap(({ file, text }) =>
    pathsIn(text)
      .filter((named) => !existsSync(fromRoot(named)))
      // CONTRIBUTING.md describes files that its examples create.
      .filter((named) => !(file === 'CONTRIBUTING.md' && (changes.includes(`'${named}'`) || named === ofExample)))
      .map((named) => `${file}: ${named}`),
  )
  expect(missing).toEqual([])
})
