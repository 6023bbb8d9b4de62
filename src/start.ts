#!/usr/bin/env bun
import { describeLibraryFault } from './duck/native-library.ts'
import { exit, writeStderr } from './platform/runtime.ts'

// Imported late: every command needs DuckDB's library, and one that cannot be loaded is to be told of
// in words instead of a stack.
try {
  await import('./main.ts')
} catch (cause) {
  const fault = describeLibraryFault(cause)
  if (fault === undefined) throw cause
  writeStderr(`tracelake: ${fault}\n`)
  exit(1)
}
