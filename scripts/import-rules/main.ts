import path from 'node:path'
import { findBreaches } from './check.ts'
import { readSources } from './read-sources.ts'

const sources = await readSources(path.join(import.meta.dir, '../..'))
const breaches = findBreaches(sources)
for (const breach of breaches) console.error(breach)
console.log(
  `${sources.size} files, ${breaches.length} ${breaches.length === 1 ? 'breach' : 'breaches'} of the import rules`,
)
process.exitCode = breaches.length === 0 ? 0 : 1
