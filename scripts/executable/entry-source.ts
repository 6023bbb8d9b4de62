import path from 'node:path'
import { packageAssets } from '../../src/runtime/platform/files/package-asset.ts'
import type { ThreadName } from '../../src/runtime/platform/processes/worker-thread.ts'
import { type CompressionOptions, compressFile } from './native-files.ts'

/**
 * The first module of an executable, to be written into a folder of `dist/`: the program with the
 * web UI, the guide as pages and as Markdown, and the files that it reads from packages, each
 * embedded and announced before anything else runs.
 */
export async function entrySource(repository: string, compression: CompressionOptions): Promise<string> {
  const webFolder = path.join(repository, 'dist/ui')
  const webNames = sorted(new Bun.Glob('**/*').scanSync(webFolder))
  if (webNames.length === 0) throw new Error('Embed the web UI: dist/ui is empty; start this with scripts/build')
  const web = webNames.map((name) => embedded('web-files', 'useEmbeddedWebFile', name, path.join(webFolder, name)))
  const siteFolder = path.join(repository, 'dist/guide')
  const siteNames = sorted(new Bun.Glob('**/*').scanSync(siteFolder))
  if (siteNames.length === 0) throw new Error('Embed the guide: dist/guide is empty; start this with scripts/build')
  const site = siteNames.map((name) => embedded('site-files', 'useEmbeddedSiteFile', name, path.join(siteFolder, name)))
  const docs = path.join(repository, 'docs')
  const guide = ['guide/**/*.md', 'skill/SKILL.md']
    .flatMap((pattern) => sorted(new Bun.Glob(pattern).scanSync(docs)))
    .map((name) => embedded('guide-files', 'useEmbeddedGuideFile', nameInFolder(name), path.join(docs, name)))
  const assets = await Promise.all(
    packageAssets.map(async (asset) => {
      const plain = await Bun.file(Bun.resolveSync(asset, repository)).bytes()
      const { compressed } = await compressFile(path.basename(asset), plain, compression)
      return embedded('package-asset', 'useEmbeddedAsset', asset, compressed)
    }),
  )
  const sources = path.join(repository, 'src')
  const importOf = (name: string): string => JSON.stringify(path.join(sources, name))
  return [
    ...[...web, ...site, ...guide, ...assets].flatMap(({ announce, module, name, file }, index) => [
      `import file${index} from ${JSON.stringify(file)} with { type: 'file' }`,
      `import { ${announce} as announce${index} } from ${importOf(`runtime/platform/files/${module}.ts`)}`,
      `announce${index}(${JSON.stringify(name)}, file${index})`,
    ]),
    // Threads begin with the same file: there is no other.
    `import { threadName } from ${importOf('runtime/platform/processes/worker-thread.ts')}`,
    `import { widenThreadPool } from ${importOf('runtime/platform/thread-pool.ts')}`,
    'if (threadName === undefined) await widenThreadPool()',
    `if (threadName === undefined) await import(${importOf('main.ts')})`,
    ...Object.entries(threadModules).map(
      ([name, module]) => `if (threadName === ${JSON.stringify(name)}) await import(${importOf(module)})`,
    ),
    '',
  ].join('\n')
}

/** What each kind of thread runs. */
const threadModules: Readonly<Record<ThreadName, string>> = {
  judging: 'domains/scoring/judging/judging-thread.ts',
  intake: 'domains/calls/intake/intake-thread.ts',
}

/** A file to embed, and the function of `src/runtime/platform` that makes the program read it. */
const embedded = (module: string, announce: string, name: string, file: string) => ({ module, announce, name, file })

/** `clients/codex.md` for `guide/clients/codex.md`. */
const nameInFolder = (name: string): string => name.slice(name.indexOf('/') + 1)

/** Folders list their files in any order; executables of the same sources are the same bytes. */
const sorted = (names: Iterable<string>): string[] => [...names].map((name) => name.replaceAll('\\', '/')).sort()
