/**
 * Exits with 1 and a list where a line of src/ or docs/ is longer than 120 columns, or a comment
 * line of a source longer than 100.
 */
import path from 'node:path'
import { readSources } from '../import-rules/read-sources.ts'
import { findLongLines, longLines } from './long-lines.ts'

const root = path.join(import.meta.dir, '../..')
const commentColumnsMax = 100
const found = await findLongLines(root)
for (const [file, source] of await readSources(root)) {
  const lines = source.split('\n')
  const long = longLines(source, commentColumnsMax).filter((line) => /^\s*(?:\/\/|\/\*\*|\* )/.test(lines[line - 1]!))
  found.push(...long.map((line) => `${file}:${line} (comment)`))
}
for (const place of found) console.error(place)
process.exitCode = found.length === 0 ? 0 : 1
