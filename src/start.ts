#!/usr/bin/env bun
import { widenThreadPool } from './runtime/platform/thread-pool.ts'

await widenThreadPool()

// Imported dynamically: every command needs DuckDB's native library, and a load failure should
// print a message instead of a stack trace. So nothing here may import what loads it.
try {
  await import('./main.ts')
} catch (cause) {
  const { exit, platformName, writeStderr } = await import('./runtime/platform/runtime.ts')
  const fault = describeLibraryFault(cause, platformName())
  if (fault === undefined) throw cause
  writeStderr(`tracelake: ${fault}\n`)
  exit(1)
}

/**
 * A hint for the operator if the program failed to load because of DuckDB's native library;
 * undefined for other causes. The library is in a separate package per platform, which package
 * managers silently skip if none matches.
 */
function describeLibraryFault(cause: unknown, platform: string): string | undefined {
  if (!(cause instanceof Error) || !/@duckdb\/node-bindings|duckdb\.node/.test(cause.message)) return undefined
  const reason = cause.message.split('\n', 1)[0]!.replaceAll(/ from '[^']*'/g, '')
  return (
    `Start: DuckDB's library for ${platform} cannot be loaded (${reason}). ` +
    'Install the dependencies on this machine, for this machine ("bun install --frozen-lockfile"), ' +
    'with optional dependencies; there are libraries for Linux (glibc and musl), macOS and Windows, each on x64 ' +
    'and arm64'
  )
}
