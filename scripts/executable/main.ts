import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { packageAssets } from '../../src/platform/package-asset.ts'
import { nativeLibraryPlugin } from './native-library.ts'

const repository = path.join(import.meta.dir, '../..')
const outfile = path.join(repository, 'dist/tracelake')
const entry = path.join(repository, `dist/executable-entry-${process.pid}.ts`)

/**
 * The program with the web UI and the files that it reads from packages, each embedded and
 * announced before anything else runs.
 */
function entrySource(): string {
  const webFiles = [...new Bun.Glob('**/*').scanSync(path.join(repository, 'dist/ui'))].sort()
  if (webFiles.length === 0) throw new Error('Embed the web UI: dist/ui is empty; start this with scripts/build')
  const guideFiles = ['guide/*.md', 'skill/SKILL.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(path.join(repository, 'docs')),
  ])
  const imports = packageAssets.map((asset, index) => {
    const file = path.relative(path.dirname(entry), Bun.resolveSync(asset, repository))
    return `import asset${index} from ${JSON.stringify(file.startsWith('.') ? file : `./${file}`)} with { type: 'file' }`
  })
  const announcements = packageAssets.map((asset, index) => `useEmbeddedAsset(${JSON.stringify(asset)}, asset${index})`)
  return [
    ...imports,
    ...webFiles.map((name, index) => `import web${index} from ${JSON.stringify(`./ui/${name}`)} with { type: 'file' }`),
    `import { useEmbeddedWebFile } from '../src/platform/web-files.ts'`,
    ...webFiles.map((name, index) => `useEmbeddedWebFile(${JSON.stringify(name)}, web${index})`),
    ...guideFiles.map(
      (name, index) => `import guide${index} from ${JSON.stringify(`../docs/${name}`)} with { type: 'file' }`,
    ),
    `import { useEmbeddedGuideFile } from '../src/platform/guide-files.ts'`,
    ...guideFiles.map((name, index) => `useEmbeddedGuideFile(${JSON.stringify(path.basename(name))}, guide${index})`),
    `import { useEmbeddedAsset } from '../src/platform/package-asset.ts'`,
    ...announcements,
    // Threads begin with the same file: there is no other.
    `import { isMainThread } from 'node:worker_threads'`,
    `await (isMainThread ? import('../src/main.ts') : import('../src/foundation/judging/judging-thread.ts'))`,
    '',
  ].join('\n')
}

await mkdir(path.dirname(entry), { recursive: true })
await Bun.write(entry, entrySource())
try {
  const built = await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    compile: { outfile },
    plugins: [await nativeLibraryPlugin(repository)],
  })
  for (const message of built.logs) console.error(message)
  if (!built.success) process.exit(1)
} finally {
  await rm(entry)
}
const { size } = await stat(outfile)
console.log(`${path.relative(repository, outfile)}: ${(size / 1024 / 1024).toFixed(0)} MiB`)
