#!/usr/bin/env bun
import { describeLibraryFault } from './runtime/duck/database.ts'
import { exit, writeStderr } from './runtime/platform/runtime.ts'

// Imported dynamically: every command needs DuckDB's native library, and a load failure should
// print a message instead of a stack trace.
try {
  await import('./main.ts')
} catch (cause) {
  const fault = describeLibraryFault(cause)
  if (fault === undefined) throw cause
  writeStderr(`tracelake: ${fault}\n`)
  exit(1)
}
