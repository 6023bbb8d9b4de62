/**
 * Writes the tables into docs/data-on-disk.md; with --check, exits with 1 if the document is stale.
 */
import path from 'node:path'
import { withTableReference } from './table-reference.ts'

const file = path.join(import.meta.dir, '../../docs/data-on-disk.md')
const document = await Bun.file(file).text()
const described = withTableReference(document)
if (!process.argv.includes('--check')) {
  await Bun.write(file, described)
} else if (described !== document) {
  console.error(
    'docs/data-on-disk.md does not show the tables as src/engine/tables describes them; "scripts/bun run describe-tables" writes it',
  )
  process.exitCode = 1
}
