import { join, resolve } from 'node:path'
import process from 'node:process'

/**
 * What Bun runs as the program under test: the sources, or the file in `TRACELAKE_TEST_PROGRAM`.
 * `scripts/test` names the bundle there: it is what `scripts/serve` runs, and starts in half the
 * time.
 */
export const programFile = resolve(
  process.env['TRACELAKE_TEST_PROGRAM'] ?? join(import.meta.dir, '../../../src/main.ts'),
)
