import { expect, test } from 'bun:test'
import path from 'node:path'
import { linesOutsideTables, linksIn, readDocuments, resolvesIn, root } from './documents.ts'

const documents = await readDocuments()

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
