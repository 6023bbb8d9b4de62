import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random, seedOr } from '../../../test/store/random.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { TableLayout } from '../layout.ts'
import { findSection, findSections, isEmpty, readSection } from './index-file.ts'
import { bytesOfIndexFile, type Section, type SectionName } from './index-file-format.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracelake-index-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

const random = new Random(seedOr(20_261_129))
const bytesOf = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random.below(256))

/** Bytes that end like a Parquet file. */
function parquetOf(count: number, footer: number): Uint8Array {
  const bytes = bytesOf(count + footer + 8)
  new DataView(bytes.buffer).setUint32(count + footer, footer, true)
  bytes.set(new TextEncoder().encode('PAR1'), count + footer + 4)
  return bytes
}

const section = (name: SectionName, content: Uint8Array, version = 1): Section => ({ name, version, content })

function written(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const samples: Record<string, readonly Section[]> = {
  'a file without sections': [],
  'sections of any length': [
    section('keys', bytesOf(1001), 2),
    section('bloom', bytesOf(16)),
    section('texts', bytesOf(0)),
  ],
  'a rollup': [
    section('keys', bytesOf(333)),
    section('rollup', parquetOf(5000, 700)),
    section('values', bytesOf(90_001)),
  ],
  'a rollup with a footer that is longer than what is read at first': [
    section('rollup', parquetOf(10, 40_000)),
    section('bloom', bytesOf(3)),
  ],
  'a rollup that is not needed': [section('rollup', bytesOf(0)), section('bloom', bytesOf(3))],
}

for (const [what, sections] of Object.entries(samples))
  test(`${what} can be read by section`, async () => {
    const found = (await findSections(written('whole', bytesOfIndexFile(sections))))!
    expect([...found.keys()].sort()).toEqual(sections.map(({ name }) => name).sort())
    for (const { name, version, content } of sections) {
      const place = found.get(name)!
      expect(place.version).toBe(version)
      expect(isEmpty(place)).toBe(content.length === 0)
      expect(await readSection(place)).toEqual(content)
      expect(place.at % 8).toBe(0)
    }
  })

test('a file with a rollup begins and ends like the Parquet file', () => {
  const rollup = parquetOf(5000, 700)
  const bytes = bytesOfIndexFile([section('bloom', bytesOf(2000)), section('rollup', rollup)])
  expect(bytes.subarray(0, 5000)).toEqual(rollup.subarray(0, 5000))
  expect(bytes.subarray(-708)).toEqual(rollup.subarray(-708))
})

for (const [what, sections] of Object.entries(samples))
  test(`damage to ${what} is noticed`, async () => {
    const bytes = bytesOfIndexFile(sections)
    const covered = new Set<number>()
    for (const { at, bytes: length, ending, endingAt } of (await findSections(written('sample', bytes)))!.values()) {
      for (let byte = at; byte < at + length; byte++) covered.add(byte)
      for (let byte = endingAt; byte < endingAt + ending; byte++) covered.add(byte)
    }
    const isIntact = async (path: string): Promise<boolean> => {
      const found = await findSections(path)
      if (found === undefined) return false
      for (const place of found.values()) if ((await readSection(place)) === undefined) return false
      return true
    }
    const last = bytes.length - 1
    for (const at of [0, last, last - 5, ...Array.from({ length: 200 }, () => random.below(bytes.length))]) {
      const path = written('changed', bytes.with(at, bytes[at]! ^ 0x08))
      // Padding, and the word of the tail that is always 0, say nothing.
      if (covered.has(at)) expect(await isIntact(path)).toBe(false)
    }
    for (const length of [
      0,
      1,
      15,
      Math.floor(bytes.length / 2),
      last,
      ...Array.from({ length: 20 }, () => random.below(last)),
    ])
      expect(await isIntact(written('cut', bytes.subarray(0, length)))).toBe(false)
    expect(await isIntact(written('longer', new Uint8Array([...bytes, 0, 0, 0, 0])))).toBe(false)
    expect(await isIntact(join(folder, 'nowhere'))).toBe(false)
  })

test('sections of later versions are passed over', async () => {
  const bytes = bytesOfIndexFile([section('bloom', bytesOf(10)), section('keys', bytesOf(20), 77)])
  const text = new TextDecoder('latin1').decode(bytes).replace('"bloom"', '"later"')
  const changed = Buffer.from(text, 'latin1')
  const from = changed.lastIndexOf('{"version":1,"sections"')
  const tail = changed.length - 16
  changed.writeUInt32LE(checksum(changed.subarray(from, tail)), tail + 4)
  const found = (await findSections(written('later', changed)))!
  expect([...found.keys()]).toEqual(['later', 'keys'])
  expect(found.get('keys')!.version).toBe(77)
})

test('files of earlier versions are read until there is an index', async () => {
  const layout = new TableLayout(folder, 'notes')
  const path = layout.earlierIndexes('part-1').keys
  rmSync(layout.filters, { recursive: true, force: true })
  mkdirSync(layout.filters, { recursive: true })
  writeFileSync(path, bytesOf(100))
  expect(await findSection(layout, 'part-1', 'keys')).toMatchObject({ path, at: 0, bytes: 100, version: 1 })
  expect(await findSection(layout, 'part-1', 'texts')).toBeUndefined()
  writeFileSync(layout.index('part-1'), 'damaged')
  expect(await findSection(layout, 'part-1', 'keys')).toMatchObject({ path })
  writeFileSync(layout.index('part-1'), bytesOfIndexFile([section('texts', bytesOf(7))]))
  expect(await findSection(layout, 'part-1', 'keys')).toBeUndefined()
  expect(await findSection(layout, 'part-1', 'texts')).toMatchObject({ path: layout.index('part-1') })
  expect(readFileSync(path)).toHaveLength(100)
})
