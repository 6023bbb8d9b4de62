import { expect, test } from 'bun:test'
import path from 'node:path'
import { clientRuns, pagesLeftOut } from '../clients/client-runs.ts'
import { blocksNotRun } from './blocks-not-run.ts'
import { blocksOf } from './commands.ts'
import { linksIn, readDocuments } from './documents.ts'
import { clientPages, pageRuns, pagesRunElsewhere } from './page-runs.ts'

const documents = (await readDocuments()).filter(({ file }) => file === 'README.md' || file.startsWith('docs/guide/'))

test('every command of the guide is run, or listed with a reason', async () => {
  const runPages = new Set([...pageRuns.map(({ file }) => file), ...Object.keys(pagesRunElsewhere)])
  const unknown: string[] = []
  for (const { file } of documents) {
    if (runPages.has(file) || file.startsWith(clientPages)) continue
    const reasons = Object.keys(blocksNotRun[file] ?? {})
    for (const block of await blocksOf(file))
      if (!reasons.some((text) => block.includes(text))) unknown.push(`${file}: ${block.split('\n')[0]}`)
  }
  expect(unknown).toEqual([])
})

test('every listed block and page exists', async () => {
  const missing: string[] = []
  for (const [file, reasons] of Object.entries(blocksNotRun)) {
    const blocks = await blocksOf(file)
    for (const text of Object.keys(reasons))
      if (!blocks.some((block) => block.includes(text))) missing.push(`${file}: ${text}`)
  }
  const files = new Set(documents.map(({ file }) => file))
  const listed = [...pageRuns.map(({ file }) => file), ...Object.keys(pagesRunElsewhere)]
  expect([...missing, ...listed.filter((file) => !files.has(file))]).toEqual([])
})

test('every page about a client is run by the suite, or left out with a reason', () => {
  const pages = documents
    .map(({ file }) => file)
    .filter((file) => file.startsWith(clientPages))
    .map((file) => file.slice('docs/guide/'.length, -'.md'.length))
  const known = new Set([...clientRuns.map(({ page }) => page), ...Object.keys(pagesLeftOut)])
  expect(pages.filter((page) => !known.has(page))).toEqual([])
})

test('the contents list every page of the guide', async () => {
  const contents = documents.find(({ file }) => file === 'docs/guide/README.md')!
  const listed = new Set(linksIn(contents.text).map((link) => path.posix.join('docs/guide', link)))
  const pages = documents.map(({ file }) => file).filter((file) => file.startsWith('docs/guide/'))
  expect(pages.filter((file) => file !== contents.file && !listed.has(file))).toEqual([])
})

test('the guide uses plain words', () => {
  const words = /\b(whoever|nobody|such a|the one that|stands for|in force|is due|in turn|at hand)\b/i
  const found = documents.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => (words.test(line) ? [`${file}:${index + 1}: ${line}`] : [])),
  )
  expect(found).toEqual([])
})
