import { expect, test } from 'bun:test'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { integer, json, text, time } from '../../src/engine/tables/columns.ts'
import { defineTable } from '../../src/engine/tables/define-table.ts'
import type { TextCondition } from '../../src/lib/text-condition.ts'
import { ForeignWriter } from './foreign-writer.ts'
import { damageSection, indexFiles, replaceSection } from './index-files.ts'
import { StoreBench } from './store-bench.ts'
import { tableFaults } from './table-faults.ts'
import { until } from './until.ts'

/** Pages of text, wide enough for a text filter. */
const pages = defineTable({
  name: 'pages',
  description: 'Pages.',
  columns: {
    id: text('id'),
    number: integer('number'),
    body: json('text', { searched: true }),
    remark: text('remark', { nullable: true, searched: true }),
    created_at: time('when'),
  },
  id: 'id',
  order: ['number'],
  presence: 'body',
})

const projectId = 'acme/books'
const pageChars = 34_000
/** About 26 MB: several segments. */
const count = 800

const words = { rare: 'Zymurgie', escaped: 'a "quoted"\nline', japanese: '日本語の本', kelvin: '300 \u212a' }
const wordOf = new Map([
  [700, words.rare],
  [13, words.escaped],
  [400, words.japanese],
  [90, words.kelvin],
])

function bodyOf(number: number): string {
  const filler = `page ${number} of the book. `
  return JSON.stringify(`${wordOf.get(number) ?? ''} ${filler.repeat(pageChars / filler.length)}`)
}

const rowOf = (number: number) =>
  pages.row({
    project_id: projectId,
    id: `page-${number}`,
    number,
    body: bodyOf(number),
    remark: null,
    created_at: 1e15 + number,
  })

async function filled(options: { isMaintained?: boolean } = {}): Promise<StoreBench> {
  const bench = await StoreBench.open([pages], options)
  for (let from = 0; from < count; from += 100) {
    const rows = Array.from({ length: 100 }, (_, at) => rowOf(from + at))
    await bench.store.write('pages', rows)
  }
  await bench.store.flush()
  return bench
}

/** How many rows a search has to read, and the numbers of those that match. */
async function search(bench: StoreBench, condition: TextCondition, sql: string) {
  return await bench.store.read(['pages'], { projectId }, async (snapshot) => {
    const { branches } = await snapshot.relationWhere('pages', {}, {}, { text: condition })
    let read = 0
    const found: number[] = []
    for (const { source } of branches) {
      const isTable = source.kind === 'table'
      const from = isTable ? `"${source.name}"` : `read_parquet([${source.paths.map((path) => `'${path}'`).join()}])`
      const ranges = isTable ? undefined : source.rowRanges
      const rows = ranges?.map(([first, last]) => `file_row_number BETWEEN ${first} AND ${last}`).join(' OR ') ?? 'true'
      const cells = await snapshot.rows({
        text: `SELECT number, (${sql})::INTEGER FROM ${from} WHERE ${rows}`,
        values: [],
      })
      read += cells.length
      found.push(...cells.filter(([, matches]) => matches).map(([number]) => number as number))
    }
    return { read, found: found.toSorted((a, b) => a - b) }
  })
}

const contains = (part: string, ignoreCase = false): TextCondition => ({ kind: 'contains', text: part, ignoreCase })

test('a search reads only rows near those that match, in any script, escaped or not', async () => {
  await using bench = await filled()
  expect(indexFiles(bench)).toHaveLength(1)
  const inLowerCase = words.rare.toLowerCase()
  const inJson = JSON.stringify(words.escaped).slice(1, -1)
  const either: TextCondition = { kind: 'any', items: [contains(words.rare), contains(words.japanese)] }
  const cases: [condition: TextCondition, sql: string, found: number[], readMax: number][] = [
    [contains(words.rare), `contains(body, '${words.rare}')`, [700], 300],
    [contains(inLowerCase, true), `contains(lower(body), '${inLowerCase}')`, [700], 300],
    [contains('Xylophagous'), `contains(body, 'Xylophagous')`, [], 0],
    [contains('quoted'), `contains(body, 'quoted')`, [13], 300],
    [contains(inJson), `contains(body, 'quoted')`, [13], 300],
    [contains(words.japanese), `contains(body, '${words.japanese}')`, [400], 300],
    // Without regard to case, the Kelvin sign is a k.
    [contains('300 k', true), `contains(lower(body), '300 k')`, [90], 300],
    [contains('book'), `contains(body, 'book') AND number = 5`, [5], count],
    [contains('bo'), 'number = 5', [5], count],
    [either, 'number IN (400, 700)', [400, 700], 500],
    [{ ...either, kind: 'all' }, 'false', [], 0],
    [{ kind: 'any', items: [contains(words.rare), contains('b')] }, 'number = 5', [5], count],
  ]
  for (const [condition, sql, found, readMax] of cases) {
    const answer = await search(bench, condition, sql)
    expect({ condition, found: answer.found }).toEqual({ condition, found })
    expect({ condition, isFew: answer.read <= readMax }).toEqual({ condition, isFew: true })
  }
}, 120_000)

test('a missing or damaged filter rules out nothing, and filters go with their data files', async () => {
  // The timer of the store would write the filter again.
  await using bench = await filled({ isMaintained: false })
  const [path] = indexFiles(bench) as [string]
  const rare = () => search(bench, contains(words.rare), `contains(body, '${words.rare}')`)
  expect((await rare()).read).toBeLessThan(count)
  const damages = [
    () => damageSection(path, 'texts', 100),
    () => replaceSection(path, 'texts', new Uint8Array(300_000).fill(7)),
    () => writeFileSync(path, new Uint8Array(300_000).fill(7)),
    () => truncateSync(path, 1000),
    () => writeFileSync(path, ''),
    () => rmSync(path),
  ]
  expect(await tableFaults(bench.folder, pages)).toEqual([])
  for (const [index, damage] of damages.entries()) {
    await damage()
    expect(await tableFaults(bench.folder, pages)).toHaveLength(index < 5 ? 1 : 0)
    await bench.reopen()
    expect(await rare()).toEqual({ read: count, found: [700] })
  }

  await bench.store.write('pages', [pages.tombstone(projectId, 'page-1', 2e15)])
  await bench.store.flush()
  await bench.removeReplaced()
  expect(indexFiles(bench)).toHaveLength(1)
  expect(indexFiles(bench)).not.toContain(path)
  expect((await rare()).found).toEqual([700])
  expect((await rare()).read).toBeLessThan(count)

  await bench.store.write('pages', [pages.tombstone(projectId, 'page-2', 2e15)])
  await bench.store.flush()
  await bench.removeReplaced()
  expect(indexFiles(bench)).toHaveLength(1)
  writeFileSync(path.replace('part-', 'part-0'), '')
  await bench.reopen()
  expect(indexFiles(bench)).toHaveLength(1)
}, 120_000)

test('a file of another engine that lacks a searched column gets a filter of the others', async () => {
  await using bench = await filled()
  const other = new ForeignWriter(bench.tableFolder)
  const before = [...other.adds.keys()]
  const one = await other.write(`SELECT * EXCLUDE (remark) FROM ${other.source}`)
  other.commit(...before.map((path) => other.remove(path)), one)
  await bench.reopen()
  const path = join(bench.tableFolder, '_filters', `${one['add']!['path']}.index`)
  const rare = () => search(bench, contains(words.rare), `contains(body, '${words.rare}')`)
  // The file is there a moment before searches use it.
  await until(async () => (await rare()).read < count)
  expect(indexFiles(bench)).toContain(path)
  const { read, found } = await rare()
  expect(found).toEqual([700])
  expect(read).toBeLessThan(count)
}, 120_000)
