import { platformName } from '../platform/runtime.ts'

/**
 * What to tell an operator where DuckDB's native library is the reason why the program could not be
 * loaded; undefined where something else is. The library comes in a package of its own for each
 * platform, which package managers leave out without a word where they find none that fits.
 */
export function describeLibraryFault(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !/@duckdb\/node-bindings|duckdb\.node/.test(cause.message)) return undefined
  const reason = cause.message.split('\n', 1)[0]!.replaceAll(/ from '[^']*'/g, '')
  return (
    `Start: DuckDB's library for ${platformName()} cannot be loaded (${reason}). ` +
    'Install the dependencies on this machine, for this machine ("bun install --frozen-lockfile"), ' +
    'with optional dependencies; there are libraries for Linux (glibc and musl), macOS and Windows, each on x64 and arm64'
  )
}
