import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { entrySource } from './entry-source.ts'
import { nativeFiles } from './native-files.ts'
import { nativeLibraryPlugin } from './native-library.ts'
import { targetPackages } from './target-packages.ts'
import type { Target } from './targets.ts'

export interface BuildOptions {
  readonly repository: string
  readonly target: Target
  readonly outfile: string
  /** Zstandard level of what is embedded. */
  readonly level: number
}

/**
 * Builds the executable of a target. The same sources and packages give the same bytes. See
 * docs/decisions/139-executables-from-packages.md.
 */
export async function buildExecutable({ repository, target, outfile, level }: BuildOptions): Promise<void> {
  const { runtime, bindings } = await targetPackages(target, repository)
  const compression = { folder: path.join(repository, '.tools/compressed'), level }
  const native = await nativeFiles(bindings, target, compression)
  // Named alike in every build, because paths of modules become part of the executable.
  const folder = path.join(repository, 'dist/executable')
  const entry = path.join(folder, 'entry.ts')
  await mkdir(folder, { recursive: true })
  await Bun.write(entry, await entrySource(repository, compression))
  // Bun names the file system inside the executable for the file it writes.
  const built = path.join(folder, target.name, target.executable)
  const { success, logs } = await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    minify: { whitespace: true, syntax: true },
    compile: {
      outfile: built,
      target: target.compileTarget,
      executablePath: runtime,
      // Settings come from where the guide says, never from files of the current folder.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    plugins: [nativeLibraryPlugin(native, repository)],
  })
  for (const message of logs) console.error(message)
  if (!success) throw new Error(`Build the executable for ${target.name}`)
  await mkdir(path.dirname(outfile), { recursive: true })
  await rename(built, outfile)
  await rm(path.dirname(built), { recursive: true, force: true })
}
