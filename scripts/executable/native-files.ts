import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Platform } from '../platforms/bindings.ts'
import { thinMachO } from './thin-mach-o.ts'
import { trimElf } from './trim-elf.ts'

/** A file to embed, compressed with Zstandard. */
export interface CompressedFile {
  /** Name of the plain file. */
  readonly name: string
  readonly compressed: string
}

export interface CompressionOptions {
  /** Folder for the compressed files. */
  readonly folder: string
  /** Zstandard level, from 1 to 22. */
  readonly level: number
}

/** Compresses a file unless that has been done before. */
export async function compressFile(
  name: string,
  plain: Uint8Array,
  { folder, level }: CompressionOptions,
): Promise<CompressedFile> {
  const digest = new Bun.CryptoHasher('sha256').update(plain).digest('hex').slice(0, 16)
  const compressed = path.join(folder, `${digest}-${level}-${name}.zst`)
  if (!(await Bun.file(compressed).exists())) {
    await mkdir(folder, { recursive: true })
    await Bun.write(compressed, await Bun.zstdCompress(plain, { level }))
  }
  return { name, compressed }
}

export interface NativeFiles {
  readonly files: readonly CompressedFile[]
  /** Changes with the content of the files. */
  readonly version: string
}

/** DuckDB's native files for `platform`, without what the loader does not need. */
export async function nativeFiles(
  bindings: string,
  platform: Platform,
  options: CompressionOptions,
): Promise<NativeFiles> {
  const names = [...new Bun.Glob('*.{node,so,dylib,dll}').scanSync(bindings)].sort()
  const digest = new Bun.CryptoHasher('sha256')
  const files: CompressedFile[] = []
  for (const name of names) {
    const plain = trimmed(await Bun.file(path.join(bindings, name)).bytes(), platform)
    digest.update(plain)
    files.push(await compressFile(name, plain, options))
  }
  return { files, version: digest.digest('hex').slice(0, 16) }
}

function trimmed(file: Uint8Array, { os, cpu }: Platform): Uint8Array {
  if (os === 'linux') return trimElf(file)
  if (os === 'darwin') return thinMachO(file, cpu)
  return file
}
