import path from 'node:path'
import { bindingsOf, type Platform } from '../platforms/bindings.ts'

/** A kind of machine that an executable is built for. */
export interface Target extends Platform {
  readonly name: string
  /** The package with the Bun runtime for the target. */
  readonly runtimePackage: string
  /** The package with DuckDB's library for the target. */
  readonly bindingsPackage: string
  /** How `Bun.build` names the target. */
  readonly compileTarget: Bun.Build.CompileTarget
  readonly executable: 'tracelake' | 'tracelake.exe'
}

const osNames = { linux: 'linux', darwin: 'darwin', windows: 'win32' } as const

function target(os: keyof typeof osNames, cpu: Platform['cpu'], libc?: 'glibc' | 'musl'): Target {
  const platform: Platform = { os: osNames[os], cpu, ...(libc && { libc }) }
  const ending = libc === 'musl' ? '-musl' : ''
  const runtime = `${os}-${cpu === 'arm64' ? 'aarch64' : 'x64'}${ending}`
  return {
    ...platform,
    name: `${os}-${cpu}${ending}`,
    runtimePackage: `@oven/bun-${runtime}`,
    bindingsPackage: bindingsOf(platform),
    compileTarget: `bun-${os}-${cpu}${ending}` as Bun.Build.CompileTarget,
    executable: os === 'windows' ? 'tracelake.exe' : 'tracelake',
  }
}

/** Every target that a release has an executable for. */
export const targets: readonly Target[] = [
  target('linux', 'x64', 'glibc'),
  target('linux', 'arm64', 'glibc'),
  target('linux', 'x64', 'musl'),
  target('linux', 'arm64', 'musl'),
  target('darwin', 'arm64'),
  target('darwin', 'x64'),
  target('windows', 'x64'),
]

/**
 * The targets of a comma-separated list of names; `all` for every one.
 *
 * @throws Error naming the known targets
 */
export function targetsNamed(list: string): readonly Target[] {
  if (list === 'all') return targets
  return list.split(',').map((name) => {
    const found = targets.find((target) => target.name === name)
    if (found !== undefined) return found
    throw new Error(
      `Unknown target "${name}": choose from ${targets.map((target) => target.name).join(', ')}, or "all"`,
    )
  })
}

const repository = path.join(import.meta.dir, '../..')

/**
 * Whether a target is what this runs on; of the two for Linux, the one whose library is installed.
 */
export const isThisMachine = ({ os, cpu, bindingsPackage }: Target): boolean =>
  os === process.platform && cpu === process.arch && (os !== 'linux' || isInstalled(bindingsPackage))

function isInstalled(name: string): boolean {
  try {
    Bun.resolveSync(
      `${name}/package.json`,
      path.dirname(Bun.resolveSync('@duckdb/node-bindings/package.json', repository)),
    )
    return true
  } catch {
    return false
  }
}
