/**
 * Writes the import rules into docs/architecture.md; with --check, exits with 1 where they are not
 * what it shows.
 */
import path from 'node:path'
import { withPicture } from './picture.ts'

const file = path.join(import.meta.dir, '../../docs/architecture.md')
const document = await Bun.file(file).text()
const drawn = withPicture(document)
if (!process.argv.includes('--check')) {
  await Bun.write(file, drawn)
} else if (drawn !== document) {
  console.error('docs/architecture.md shows other import rules than scripts/import-rules enforces')
  process.exitCode = 1
}
