import path from 'node:path'
import type { BunPlugin } from 'bun'

/**
 * Embeds DuckDB's two native files. The operating system loads libraries from files only, so the
 * first start of an executable writes both, beside each other as the one expects the other, into a
 * folder of the user's cache that is named for their content.
 */
export async function nativeLibraryPlugin(repository: string): Promise<BunPlugin> {
  const folder = libraryFolder(path.dirname(Bun.resolveSync('@duckdb/node-bindings/package.json', repository)))
  const files = [...new Bun.Glob('*.{node,so,dylib,dll}').scanSync(folder)].sort()
  const digest = new Bun.CryptoHasher('sha256')
  for (const name of files) digest.update(await Bun.file(path.join(folder, name)).bytes())
  const version = digest.digest('hex').slice(0, 16)
  return {
    name: 'native-library',
    setup: (build) => {
      build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, () => ({ path: 'duckdb', namespace: 'native-library' }))
      build.onLoad({ filter: /.*/, namespace: 'native-library' }, () => ({
        loader: 'js',
        resolveDir: repository,
        contents: loaderSource(folder, files, version),
      }))
    },
  }
}

/** The folder of the library for this machine: of the two for Linux, the one that was installed. */
function libraryFolder(bindings: string): string {
  const name = `@duckdb/node-bindings-${process.platform}-${process.arch}`
  try {
    return path.dirname(Bun.resolveSync(`${name}/package.json`, bindings))
  } catch (cause) {
    if (process.platform !== 'linux') throw cause
    return path.dirname(Bun.resolveSync(`${name}-musl/package.json`, bindings))
  }
}

/** What stands in the place of the package. Its users take the default export. */
function loaderSource(folder: string, files: readonly string[], version: string): string {
  const native = files.find((name) => name.endsWith('.node'))
  return `
${files.map((name, index) => `import file${index} from ${JSON.stringify(path.join(folder, name))} with { type: 'file' }`).join('\n')}
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
const target = join(cache, 'tracelake', 'native-${version}')

function place() {
  const stage = target + '.' + process.pid
  mkdirSync(stage, { recursive: true, mode: 0o700 })
${files.map((name, index) => `  writeFileSync(join(stage, ${JSON.stringify(name)}), readFileSync(file${index}), { mode: 0o700, flush: true })`).join('\n')}
  // Another start may have been faster; its files are the same.
  try { renameSync(stage, target) } catch (cause) { rmSync(stage, { recursive: true }); if (!existsSync(target)) throw cause }
}

const loaded = { exports: {} }
try {
  if (!existsSync(target)) place()
  process.dlopen(loaded, join(target, ${JSON.stringify(native)}))
} catch (cause) {
  console.error(\`tracelake: Load DuckDB's library from \${target}: \${cause.message}; name a folder that can be written to, and run from, in XDG_CACHE_HOME\`)
  process.exit(2)
}
export default loaded.exports
`
}
