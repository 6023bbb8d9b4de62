import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyFolder } from '../../src/domains/admin/maintenance/verify-folder.ts'

/** The folder of the calls table. */
export const calls = (folder: string): string => join(folder, 'tables', 'calls')
export const log = (folder: string): string => join(calls(folder), '_delta_log')
export const commit = (folder: string, version: number): string =>
  join(log(folder), `${String(version).padStart(20, '0')}.json`)

/** Names in a folder with an extension, sorted; there must be at least one. */
export function namesOf(folder: string, ending: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending))
  if (names.length === 0) throw new Error(`${folder} has no ${ending}`)
  return names.sort()
}

/** Replaces a text in a file. */
export function replaceIn(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} does not have ${from}`)
  writeFileSync(file, after)
}

/** Sets bytes in the middle of a file to zero. */
export function spoil(file: string, at = 0.5, count = 8): void {
  const bytes = readFileSync(file)
  const from = Math.floor(bytes.byteLength * at)
  writeFileSync(file, bytes.fill(0, from, from + count))
}

/** The faults that `verify` reports for a folder. */
export async function faultsOf(folder: string): Promise<string[]> {
  const faults: string[] = []
  await verifyFolder({
    dataFolder: folder,
    secretsKeyFile: `${folder}.secrets-key`,
    memoryBytesMax: 256e6,
    report: (place, fault) => faults.push(`${place}: ${fault}`),
    onProgress: () => {},
  })
  return faults
}
