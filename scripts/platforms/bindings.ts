import { type ParseError, parse } from 'jsonc-parser'

/** A machine that the product runs on, in the words of `bun install --os --cpu --libc`. */
export interface Platform {
  readonly os: 'linux' | 'darwin' | 'win32'
  readonly cpu: 'x64' | 'arm64'
  readonly libc?: 'glibc' | 'musl'
}

export const platforms: readonly Platform[] = (['x64', 'arm64'] as const).flatMap((cpu): Platform[] => [
  { os: 'linux', cpu, libc: 'glibc' },
  { os: 'linux', cpu, libc: 'musl' },
  { os: 'darwin', cpu },
  { os: 'win32', cpu },
])

/** The package with DuckDB's library for `platform`. */
export function bindingsOf({ os, cpu, libc }: Platform): string {
  return `@duckdb/node-bindings-${os}-${cpu}${libc === 'musl' ? '-musl' : ''}`
}

interface LockFile {
  readonly packages?: Readonly<Record<string, readonly unknown[]>>
}

/**
 * What a lock file (the text of `bun.lock`) lacks for DuckDB's library to be installed on every
 * platform, as sentences; none where all is well.
 */
export function faultsOfLock(text: string): string[] {
  const errors: ParseError[] = []
  const lock = parse(text, errors, { allowTrailingComma: true }) as LockFile
  if (errors.length > 0 || lock.packages === undefined) return ['bun.lock is no lock file of Bun']
  const { packages } = lock
  const wanted = versionOf(packages['@duckdb/node-bindings'])
  return platforms.flatMap((platform) => {
    const name = bindingsOf(platform)
    const entry = packages[name]
    if (entry === undefined) return [`bun.lock has no ${name}: this release of DuckDB has no library for it`]
    if (versionOf(entry) !== wanted) return [`bun.lock has ${name} ${versionOf(entry)}, but the bindings are ${wanted}`]
    const { os, cpu, libc } = (entry[2] ?? {}) as Partial<Record<string, string>>
    const fits = os === platform.os && cpu === platform.cpu && libc === platform.libc
    return fits ? [] : [`bun.lock installs ${name} on other machines: os ${os}, cpu ${cpu}, libc ${libc}`]
  })
}

/** An entry of the lock file begins with `name@version`. */
const versionOf = (entry: readonly unknown[] | undefined): string => String(entry?.[0]).split('@').at(-1)!
