import { existsSync } from 'node:fs'
import { cp, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchRun } from '../bench-run.ts'
import { type LargeShape, writeMadeUpFiles } from './made-up-files.ts'

/** Where large stores are kept for the next run: making one takes minutes. */
const keptFolder = path.join(tmpdir(), 'tracelake-large')

/**
 * A data folder with a store of that shape, for the caller to write to. It is a copy by links of one that is kept in the system's temporary
 * folder, and made where it is not there yet.
 */
export async function copyOfLargeStore(bench: BenchRun, shape: LargeShape): Promise<string> {
  const { files, rowsPerFile, proseChars } = shape
  const parent = bench.isTiny ? bench.newFolder('large') : keptFolder
  const kept = path.join(parent, `calls-${files}x${rowsPerFile}x${proseChars}`)
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

/** Data files and the index never change: a link does. */
async function copyByLinks(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyByLinks(source, target)
    else if (/\.(parquet|filter|keys|group)$/.test(entry.name)) await link(source, target)
    else await cp(source, target)
  }
}

/** Bytes of the key index of the calls in a data folder: files beside the data files, and filters of groups. */
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
