import { availableParallelism } from 'node:os'
import process from 'node:process'

const variable = 'UV_THREADPOOL_SIZE'
const threadsMin = 8

/** Names of the C library: of glibc, of musl, and of macOS. */
const libraries = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1', 'libSystem.B.dylib']

/**
 * Gives Bun more threads than there are processors for what blocks a thread: a file that is synced,
 * a statement of DuckDB. Call it before anything else is loaded: the number is fixed when the first
 * thread is needed, and loading a module needs one, so this file imports none. See
 * docs/decisions/299-threads-that-wait.md.
 */
export async function widenThreadPool(): Promise<void> {
  if (process.versions['bun'] === undefined || process.env[variable] !== undefined) return
  // Bun reads the environment of the process, of which its `process.env` is a copy.
  const { dlopen } = await import('bun:ffi')
  for (const library of libraries) {
    try {
      const { symbols, close } = dlopen(library, { setenv: { args: ['cstring', 'cstring', 'i32'], returns: 'i32' } })
      symbols.setenv(text(variable), text(String(Math.max(threadsMin, availableParallelism()))), 0)
      close()
      return
    } catch {
      // Another name, or Windows, where the number stays as it is.
    }
  }
}

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`)
