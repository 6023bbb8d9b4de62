import { Glob } from 'bun'
import type { Sources } from './graph.ts'

/** All TypeScript sources of the repository in `folder`, in the order of their paths. */
export async function readSources(folder: string): Promise<Sources> {
  const files: string[] = []
  for await (const file of new Glob('{src,scripts,test}/**/*.{ts,tsx}').scan({ cwd: folder })) {
    // scripts/guide has packages of its own.
    if (!file.includes('node_modules')) files.push(file.replaceAll('\\', '/'))
  }
  const texts = files.sort().map(async (file) => [file, await Bun.file(`${folder}/${file}`).text()] as const)
  return new Map(await Promise.all(texts))
}
