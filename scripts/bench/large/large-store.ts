import { existsSync } from 'node:fs'
import { cp, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchRun } from '../bench-run.ts'
import { type LargeShape, writeMadeUpFiles } from './made-up-files.ts'

/** Large stores are kept here between runs: creating one takes minutes. */
const keptFolder = path.join(tmpdir(), 'tracelake-large')

/**
 * A writable data folder with a store of that shape: a hard-linked copy of one that is kept in the
 * system's temporary folder, and created if necessary.
 */
export async function copyOfLargeStore(bench: BenchRun, shape: LargeShape): Promise<string> {
  const { files, rowsPerFile, proseChars, days, otherProjectEvery } = shape
  const parent = bench.isTiny ? bench.newFolder('large') : keptFolder
  const kinds = [days && `-${days}-days`, otherProjectEvery && '-two-projects'].filter(Boolean).join('')
  const kept = path.join(parent, `calls-${files}x${rowsPerFile}x${proseChars}${kinds}`)
  const mark = path.join(kept, 'complete')
  if (!existsSync(mark)) {
    bench.note(`writing ${files} files of ${rowsPerFile} calls to ${kept}, where they stay for later runs`)
    await rm(kept, { recursive: true, force: true })
    await writeMadeUpFiles(kept, shape)
    await writeFile(mark, '')
  }
  const copy = `${kept}-copy-${process.pid}`
  await copyByLinks(kept, copy)
  return copy
}

/** Data files and index files are immutable, so links suffice. */
async function copyByLinks(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyByLinks(source, target)
    else if (/\.(parquet|filter|keys|group|texts|values|rollup)$/.test(entry.name)) await link(source, target)
    else await cp(source, target)
  }
}

/**
 * Size of the key index of the calls in a data folder: files beside the data files, and group
 * filters.
 */
export async function indexBytes(data: string): Promise<{ keys: number; groups: number }> {
  const folder = path.join(data, 'tables/calls/_filters')
  const bytes = { keys: 0, groups: 0 }
  for (const name of await readdir(folder)) {
    const { size } = Bun.file(path.join(folder, name))
    if (name.endsWith('.keys')) bytes.keys += size
    if (name.endsWith('.group')) bytes.groups += size
  }
  return bytes
}
