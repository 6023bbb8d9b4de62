import { platformName } from '../platform/runtime.ts'

/**
 * A hint for the operator if the program failed to load because of DuckDB's native library;
 * undefined for other causes. The library is in a separate package per platform, which package
 * managers silently skip if none matches.
 */
export function describeLibraryFault(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !/@duckdb\/node-bindings|duckdb\.node/.test(cause.message)) return undefined
  const reason = cause.message.split('\n', 1)[0]!.replaceAll(/ from '[^']*'/g, '')
  return (
    `Start: DuckDB's library for ${platformName()} cannot be loaded (${reason}). ` +
    'Install the dependencies on this machine, for this machine ("bun install --frozen-lockfile"), ' +
    'with optional dependencies; there are libraries for Linux (glibc and musl), macOS and Windows, each on x64 ' +
    'and arm64'
  )
}
