/**
 * Runs the published schema cases of the GenAI semantic conventions: the folder
 * `docs/gen-ai/non-normative/tests/cases` of a checkout of
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf } from './check-case.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: scripts/test semconv FOLDER, with the *.yaml files of the published cases')
  process.exit(2)
}

interface PublishedCase {
  schema: string
  document: unknown
  errors?: unknown[] | null
}

const counts = { passed: 0, failed: 0, skipped: 0 }
for (const name of readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .sort()) {
  const { schema, document, errors } = Bun.YAML.parse(readFileSync(join(folder, name), 'utf8')) as PublishedCase
  const faults = faultsOf({ schema, document, isValid: (errors ?? []).length === 0 })
  const outcome = faults === undefined ? 'skipped' : faults.length === 0 ? 'passed' : 'failed'
  counts[outcome]++
  console.log(`${outcome} ${name}${faults === undefined ? `: no rule for ${schema}` : ''}`)
  for (const fault of faults ?? []) console.log(`  ${fault}`)
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
