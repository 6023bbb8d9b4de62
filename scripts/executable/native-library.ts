import path from 'node:path'
import type { BunPlugin } from 'bun'
import type { NativeFiles } from './native-files.ts'

const loader = path.join(import.meta.dir, 'load-library.ts')

/** Embeds DuckDB's native files, and code that loads them in the place of the package. */
export function nativeLibraryPlugin(native: NativeFiles, repository: string): BunPlugin {
  return {
    name: 'native-library',
    setup: (build) => {
      build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, () => ({ path: 'duckdb', namespace: 'native-library' }))
      build.onLoad({ filter: /.*/, namespace: 'native-library' }, () => ({
        loader: 'js',
        resolveDir: repository,
        contents: loaderSource(native),
      }))
    },
  }
}

/** Users of the package take the default export. */
function loaderSource({ files, version }: NativeFiles): string {
  return [
    ...files.map(
      ({ compressed }, index) => `import file${index} from ${JSON.stringify(compressed)} with { type: 'file' }`,
    ),
    `import { loadLibrary } from ${JSON.stringify(loader)}`,
    `const files = [${files.map(({ name }, index) => `{ name: ${JSON.stringify(name)}, compressed: file${index} }`).join(', ')}]`,
    `export default loadLibrary(files, ${JSON.stringify(version)})`,
    '',
  ].join('\n')
}
