import { Glob } from 'bun'
import { findBreaches } from './check.ts'

const sourceFolder = new URL('../../src/', import.meta.url).pathname
const sources = new Map<string, string>()
for await (const file of new Glob('**/*.ts').scan({ cwd: sourceFolder })) {
  sources.set(file.replaceAll('\\', '/'), await Bun.file(`${sourceFolder}${file}`).text())
}

const breaches = findBreaches(sources)
for (const breach of breaches) console.error(`src/${breach}`)
console.log(
  `${sources.size} files, ${breaches.length} ${breaches.length === 1 ? 'breach' : 'breaches'} of the import rules`,
)
process.exitCode = breaches.length === 0 ? 0 : 1
