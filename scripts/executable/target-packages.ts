import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Target } from './targets.ts'

/** Folders with the unpacked packages of a target. */
export interface TargetPackages {
  /** The Bun executable that the program is appended to. */
  readonly runtime: string
  /** The folder with DuckDB's native files. */
  readonly bindings: string
}

interface Manifest {
  readonly engines: { readonly bun: string }
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * Installs the packages of `target` from the npm registry into `.tools/`, once for each version,
 * whatever machine this is.
 */
export async function targetPackages(target: Target, repository: string): Promise<TargetPackages> {
  const manifest: Manifest = await Bun.file(path.join(repository, 'package.json')).json()
  const versions = { bun: manifest.engines.bun, bindings: manifest.dependencies['@duckdb/node-bindings']! }
  const tools = path.join(repository, '.tools')
  const folder = path.join(tools, `target-${target.name}-${versions.bun}-${versions.bindings}`)
  const packages = {
    runtime: path.join(folder, 'node_modules', target.runtimePackage, 'bin', target.os === 'win32' ? 'bun.exe' : 'bun'),
    bindings: path.join(folder, 'node_modules', target.bindingsPackage),
  }
  if (await Bun.file(packages.runtime).exists()) return packages
  await mkdir(tools, { recursive: true })
  const stage = await mkdtemp(path.join(tools, 'stage-'))
  try {
    const dependencies = { [target.runtimePackage]: versions.bun, [target.bindingsPackage]: versions.bindings }
    await Bun.write(path.join(stage, 'package.json'), JSON.stringify({ private: true, dependencies }))
    await install(target, stage)
    await rm(folder, { recursive: true, force: true })
    await rename(stage, folder)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  return packages
}

/** @throws Error if the registry is out of reach or lacks a package */
async function install(target: Target, folder: string): Promise<void> {
  const place = [`--os=${target.os}`, `--cpu=${target.cpu}`, ...(target.libc ? [`--libc=${target.libc}`] : [])]
  const child = Bun.spawn([process.execPath, 'install', '--ignore-scripts', '--no-save', ...place], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [exitCode, output] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (exitCode !== 0) throw new Error(`Install the packages of ${target.name}: exit code ${exitCode}: ${output.trim()}`)
}
