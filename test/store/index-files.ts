import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSections, readSection, type SectionPlace } from '../../src/engine/index-file/index-file.ts'
import {
  bytesOfIndexFile,
  type Section,
  type SectionName,
  sectionNames,
} from '../../src/engine/index-file/index-file-format.ts'

/** The index files of a table. */
export function indexFiles({ tableFolder }: { readonly tableFolder: string }): string[] {
  const folder = join(tableFolder, '_filters')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.index'))
    .map((name) => join(folder, name))
}

/** Where a section of an index file is; undefined if the file lacks it, or is damaged. */
export const placeOf = async (path: string, name: SectionName): Promise<SectionPlace | undefined> =>
  (await findSections(path))?.get(name)

/** The sections of an index file. */
export async function sectionsOf(path: string): Promise<Section[]> {
  const sections: Section[] = []
  for (const name of sectionNames) {
    const place = await placeOf(path, name)
    if (place !== undefined) sections.push({ name, version: place.version, content: (await readSection(place))! })
  }
  return sections
}

/** Writes an index file again, with another content of a section, or without it. */
export async function replaceSection(path: string, name: SectionName, content?: Uint8Array): Promise<void> {
  const sections = await sectionsOf(path)
  const replaced = sections.flatMap((one) => (one.name !== name ? [one] : content ? [{ ...one, content }] : []))
  writeFileSync(path, bytesOfIndexFile(replaced))
}

/** Changes bytes of a section where they are, as a failing disk does. */
export async function damageSection(path: string, name: SectionName, from = 0): Promise<void> {
  const place = (await placeOf(path, name))!
  const bytes = readFileSync(path)
  for (let at = place.at + from; at < place.at + place.bytes; at++) bytes[at]! ^= 0x40
  writeFileSync(path, bytes)
}
