import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { zstdDecompressSync } from 'node:zlib'

/** A file inside the executable, compressed with Zstandard. */
interface EmbeddedFile {
  readonly name: string
  readonly compressed: string
}

/**
 * Loads DuckDB's library. The operating system loads libraries from files only, so the first start
 * of an executable writes them, beside each other as the one expects the other, into a folder of
 * the user's cache that is named for their content.
 *
 * @public The plugin for DuckDB's package generates the module that calls it.
 */
export function loadLibrary(files: readonly EmbeddedFile[], version: string): unknown {
  const folder = path.join(cacheFolder(process.platform, process.env), 'tracelake', `native-${version}`)
  const native = files.find(({ name }) => name.endsWith('.node'))?.name ?? ''
  const loaded = { exports: {} }
  try {
    if (!existsSync(folder)) placeFiles(files, folder)
    process.dlopen(loaded, path.join(folder, native))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    console.error(`tracelake: Load DuckDB's library from ${folder}: ${why}; ${remedyFor(why)}`)
    process.exit(2)
  }
  return loaded.exports
}

/** The user's folder for what can be made again. */
export function cacheFolder(platform: string, environment: Readonly<Record<string, string | undefined>>): string {
  if (environment['XDG_CACHE_HOME']) return environment['XDG_CACHE_HOME']
  if (platform === 'win32' && environment['LOCALAPPDATA']) return environment['LOCALAPPDATA']
  return path.join(homedir(), '.cache')
}

function placeFiles(files: readonly EmbeddedFile[], folder: string): void {
  const stage = `${folder}.${process.pid}`
  mkdirSync(stage, { recursive: true, mode: 0o700 })
  for (const { name, compressed } of files)
    writeFileSync(path.join(stage, name), zstdDecompressSync(readFileSync(compressed)), { mode: 0o700, flush: true })
  try {
    renameSync(stage, folder)
  } catch (cause) {
    // Another start may have been faster; its files are the same.
    rmSync(stage, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
}

function remedyFor(why: string): string {
  if (/libstdc\+\+|libgcc_s/.test(why))
    return 'install the C++ runtime: the package libstdc++ (Alpine: apk add libstdc++) or libstdc++6 (Debian, Ubuntu)'
  return 'name a folder that can be written to, and run from, in XDG_CACHE_HOME'
}
