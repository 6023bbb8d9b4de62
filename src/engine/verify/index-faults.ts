import { columnIndex, type Row, type Table } from '../../lib/table.ts'
import { cellAt, keyPositions } from '../../lib/typed-rows.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { areSameBytes } from '../../runtime/platform/files/bytes.ts'
import { fileExists } from '../../runtime/platform/files/files.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { indexRows } from '../data-files/write-index-file.ts'
import { findSection, findSections, isEmpty, readSection, type SectionPlace } from '../index-file/index-file.ts'
import { type SectionName, sectionNames, sectionVersions } from '../index-file/index-file-format.ts'
import { BloomFilter, hashingOf, hashValue, type SortedHashes, type ValueHash } from '../keys/bloom-filter.ts'
import { KeyFile } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { hasOwnMark, isRollupOf, statedMark } from '../rollups/write-rollup.ts'
import { bytesOfTextFilter, TextFilterFile } from '../text-filter/text-filter-file.ts'
import { computeTextFilter } from '../text-filter/write-text-filter.ts'
import { bytesOfValueIndex } from '../value-index/value-index-format.ts'
import { computeValueIndex } from '../value-index/write-value-index.ts'

/** A data file without its deletion vector, whose index is compared with its rows. */
interface CheckedFile {
  readonly writer: Writer
  readonly table: Table
  readonly layout: TableLayout
  readonly dataFile: DataFile
  /** Its rows, as a FROM item `t`. */
  readonly source: string
  readonly rowsOf: (columns: readonly string[]) => AsyncIterable<Row>
}

type Check = (checked: CheckedFile, place: SectionPlace, bytes: Uint8Array) => Promise<string | undefined>

const rebuilds = 'delete the index, and a running server rebuilds it'

/**
 * Lists the faults of the index of a data file. What is missing is rebuilt. A Bloom filter, text
 * filter or value index that lacks a row hides it, keys that lack one let its next part become a
 * second row, and a wrong rollup makes statistics wrong.
 */
export async function indexFaults(checked: CheckedFile): Promise<string[]> {
  const { layout, dataFile } = checked
  const index = layout.index(dataFile.fileName)
  if ((await fileExists(index)) && (await findSections(index)) === undefined)
    return ['has a damaged index; the server rebuilds it']
  const faults: string[] = []
  for (const name of sectionNames) faults.push(...(await sectionFaults(checked, name)))
  return faults
}

/** The faults of one section, in an index or in a file of its own. */
async function sectionFaults(checked: CheckedFile, name: SectionName): Promise<string[]> {
  const { layout, dataFile } = checked
  const place = await findSection(layout, dataFile.fileName, name)
  // Sections of versions that are not read are rebuilt.
  if (place === undefined || isEmpty(place) || place.version > sectionVersions[name]) return []
  const bytes = await readSection(place)
  const fault =
    bytes === undefined ? `has a damaged ${titles[name]}; ${rebuilds}` : await checks[name](checked, place, bytes)
  return fault === undefined ? [] : [fault]
}

const titles: Readonly<Record<SectionName, string>> = {
  bloom: 'Bloom filter',
  keys: 'list of keys',
  hashes: 'list of hashes',
  texts: 'text filter',
  values: 'value index',
  rollup: 'rollup',
}

async function hashesFault(name: SectionName, place: SectionPlace, wanted: SortedHashes): Promise<string | undefined> {
  const indexes = Array.from({ length: wanted.length / 2 }, (_, index) => index)
  const held = await (await KeyFile.find(place))?.findPresent(wanted, indexes)
  if (held === undefined) return `has a damaged ${titles[name]}; ${rebuilds}`
  const denied = indexes.length - held.length
  return denied === 0
    ? undefined
    : `has a ${titles[name]} that lacks ${denied} of its ${name === 'keys' ? 'rows' : 'values'}; ${rebuilds}`
}

const checks: Readonly<Record<SectionName, Check>> = {
  bloom: async ({ table, dataFile: { missing }, rowsOf }, place, bytes) => {
    const hashing = hashingOf(place)
    const filter = BloomFilter.fromBytes(bytes, hashing)
    if (filter === undefined) return `has a damaged Bloom filter; the next start rebuilds it`
    const columns = table.filtered.filter((name) => !missing.some((column) => column.name === name))
    const { project } = keyPositions(table)
    const isKnown = (hash: ValueHash) => filter.mayContain(hash)
    let unknown = 0
    for await (const row of rowsOf(columns)) {
      const ofProject = cellAt(row, project)
      const areKnown = columns.every((name) => {
        const value = row[columnIndex(table, name)]
        return typeof value !== 'string' || isKnown(hashValue(name, ofProject, value, hashing))
      })
      if (!areKnown) unknown++
    }
    return unknown === 0 ? undefined : `has a Bloom filter that lacks ${unknown} of its rows; ${rebuilds}`
  },
  keys: async ({ writer, table, source }, place) => {
    const values = await indexRows(writer, table, source, hashingOf(place))
    return await hashesFault('keys', place, values.toKeys())
  },
  hashes: async ({ writer, table, source }, place) => {
    const values = await indexRows(writer, table, source, hashingOf(place))
    return await hashesFault('hashes', place, values.toOthers())
  },
  texts: async ({ writer, table, layout, dataFile }, place, bytes) => {
    if (place.version < sectionVersions.texts)
      return (await TextFilterFile.find(place)) === undefined ? `has a damaged text filter; ${rebuilds}` : undefined
    const contents = await computeTextFilter(writer, table, layout.parquet(dataFile.fileName))
    if (contents !== undefined && areSameBytes(bytesOfTextFilter(contents), bytes)) return undefined
    return `has a text filter of other texts, or a damaged one; ${rebuilds}`
  },
  values: async ({ writer, table, layout, dataFile }, _, bytes) => {
    const contents = await computeValueIndex(writer, table, dataFile, layout.parquet(dataFile.fileName))
    if (areSameBytes(bytesOfValueIndex(contents), bytes)) return undefined
    return `has a value index of other rows, or a damaged one; ${rebuilds}`
  },
  rollup: async ({ writer, table, source }, { path }) => {
    if (table.rollup === undefined) return undefined
    try {
      const stated = await statedMark(writer, path)
      // Written by another version; a running server replaces it.
      if (stated !== undefined && !stated.startsWith(`${table.rollup.version} `)) return undefined
      const isRight = (await hasOwnMark(writer, table, path)) && (await isRollupOf(writer, table, source, path))
      return isRight ? undefined : `has a rollup of other rows; ${rebuilds}`
    } catch {
      return `has a damaged rollup; ${rebuilds}`
    }
  },
}
