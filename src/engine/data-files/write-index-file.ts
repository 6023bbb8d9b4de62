import { cellReader, type Table } from '../../lib/table.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findSection, readSection } from '../index-file/index-file.ts'
import {
  bytesOfIndexFile,
  isUsedVersion,
  type Section,
  type SectionName,
  sectionNames,
  sectionVersions,
} from '../index-file/index-file-format.ts'
import type { BloomFilter, Hashing } from '../keys/bloom-filter.ts'
import { bytesOfKeys } from '../keys/key-file.ts'
import type { TableLayout } from '../layout.ts'
import { rollupBytes } from '../rollups/write-rollup.ts'
import { rowsOfColumns } from '../row-key.ts'
import { bytesOfTextFilter } from '../text-filter/text-filter-file.ts'
import { computeTextFilter } from '../text-filter/write-text-filter.ts'
import { bytesOfValueIndex } from '../value-index/value-index-format.ts'
import { computeValueIndex, type IndexedFile, needsValueIndex } from '../value-index/write-value-index.ts'
import { FileIndexBuilder } from './file-index-builder.ts'
import { allRowsSource, type FileScan } from './file-scan.ts'

/** Writes the index of a data file, in place of an earlier one. */
export const writeIndexFile = (layout: TableLayout, fileName: string, sections: readonly Section[]): Promise<void> =>
  writeFileDurably(layout.index(fileName), bytesOfIndexFile(sections))

/** The Bloom filter of a data file, its keys, and the hashes of its other filtered values. */
export const sectionsOfValues = (filter: BloomFilter, values: FileIndexBuilder): Section[] => {
  const others = values.toOthers()
  return [
    sectionOf('bloom', filter.toBytes()),
    sectionOf('keys', bytesOfKeys(values.toKeys())),
    sectionOf('hashes', others.length === 0 ? undefined : bytesOfKeys(others)),
  ]
}

const sectionOf = (name: SectionName, content: Uint8Array | undefined): Section => ({
  name,
  version: sectionVersions[name],
  content: content ?? new Uint8Array(0),
})

interface FileToIndex extends IndexedFile {
  readonly layout: TableLayout
  readonly fileName: string
  /** The file as it is read. */
  readonly parquet: string
  /** See `writeSlices`. */
  readonly pause?: (() => Promise<void>) | undefined
}

/** The sections of a data file of this store that are computed from the file itself. */
export async function computeSections(
  writer: Writer,
  table: Table,
  file: FileToIndex,
  except: ReadonlySet<SectionName> = new Set(),
): Promise<Section[]> {
  const { layout, fileName, parquet, pause } = file
  const sections: Section[] = []
  if (table.rollup !== undefined && !except.has('rollup')) {
    const source = `read_parquet(${textLiteral(parquet)})`
    const temporary = `${layout.index(fileName)}.rollup.tmp`
    sections.push(sectionOf('rollup', await rollupBytes(writer, table, { source, temporary })))
  }
  if ((table.searched ?? []).length > 0 && !except.has('texts')) {
    const contents = await computeTextFilter(writer, table, parquet, pause)
    sections.push(sectionOf('texts', contents && bytesOfTextFilter(contents)))
  }
  await pause?.()
  if (needsValueIndex(table, file.rows) && !except.has('values'))
    sections.push(sectionOf('values', bytesOfValueIndex(await computeValueIndex(writer, table, file, parquet))))
  return sections
}

/**
 * Writes the index of a data file again. Sections of the present index, or of the files that
 * earlier versions wrote instead, are copied, unless they are damaged, of an earlier version, or to
 * be renewed.
 *
 * @param options.file the file, if all its sections are wanted; undefined for its Bloom filter and
 *   keys alone
 * @returns the Bloom filter, if it is new, and the sections
 */
export async function rebuildIndexFile(
  writer: Writer,
  table: Table,
  options: {
    readonly layout: TableLayout
    readonly reading: FileScan
    readonly file: IndexedFile | undefined
    readonly renewed: ReadonlySet<SectionName>
  },
): Promise<{ readonly filter: BloomFilter | undefined; readonly sections: readonly Section[] }> {
  const { layout, reading, file, renewed } = options
  const { fileName } = reading
  const sections = await usableSections(layout, fileName, renewed)
  const names = new Set(sections.map(({ name }) => name))
  let filter: BloomFilter | undefined
  if (!names.has('keys')) {
    const values = await indexRows(writer, table, `${allRowsSource(table, layout, reading)} t`)
    filter = await values.toFilter()
    sections.push(...sectionsOfValues(filter, values))
  }
  if (file !== undefined) {
    const toIndex = { ...file, layout, fileName, parquet: layout.parquet(fileName) }
    sections.push(...(await computeSections(writer, table, toIndex, names)))
  }
  await writeIndexFile(layout, fileName, sections)
  return { filter, sections }
}

async function usableSections(
  layout: TableLayout,
  fileName: string,
  renewed: ReadonlySet<SectionName>,
): Promise<Section[]> {
  const sections: Section[] = []
  for (const name of sectionNames) {
    const place = renewed.has(name) ? undefined : await findSection(layout, fileName, name)
    if (place === undefined || !isUsedVersion(name, place.version)) continue
    const content = await readSection(place)
    if (content !== undefined) sections.push({ name, version: place.version, content })
  }
  // They are computed together.
  const ofValues: readonly string[] = ['bloom', 'keys', 'hashes'] satisfies SectionName[]
  const isWhole = ofValues.every((name) => sections.some((section) => section.name === name))
  return isWhole ? sections : sections.filter(({ name }) => !ofValues.includes(name))
}

/** Hashes the rows of `source` for a Bloom filter and lists of hashes. */
export async function indexRows(
  writer: Writer,
  table: Table,
  source: string,
  hashing?: Hashing,
): Promise<FileIndexBuilder> {
  const values = new FileIndexBuilder(table, hashing)
  const names = [table.key[0], ...table.filtered.filter((name) => name !== table.key[0])]
  for await (const columns of writer.columns(
    `SELECT ${names.map((name) => `t."${name}"`).join(', ')} FROM ${source}`,
  )) {
    for (const row of rowsOfColumns(table, names, columns)) values.add(cellReader(row))
    await yieldToEventLoop()
  }
  return values
}
