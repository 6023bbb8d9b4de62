import type { Chunk } from './shared-modules.ts'

const viewModule = /^src\/web\/views\/([\w-]+)\/\1-view\.tsx$/

/**
 * The scripts that each view needs beside those of the page itself, by the name of the view: the
 * server names them in the page, so that the browser loads them together with the entry.
 *
 * @param chunks outputs of a build by their paths, for example `./assets/index-1a2b3c.js`
 * @returns paths such as `assets/index-1a2b3c.js`, that of the view itself first
 */
export function chunksOfViews(chunks: Readonly<Record<string, Chunk>>): Record<string, string[]> {
  const scripts = Object.entries(chunks).filter(([name]) => name.endsWith('.js'))
  const entry = scripts.find(([, { entryPoint }]) => entryPoint?.endsWith('.html'))
  const loaded = new Set(entry === undefined ? [] : closureOf(entry[0], chunks))
  const views: Record<string, string[]> = {}
  for (const [name, { entryPoint }] of scripts) {
    const view = viewModule.exec(entryPoint ?? '')?.[1]
    if (view === undefined) continue
    const own = closureOf(name, chunks).filter((chunk) => !loaded.has(chunk))
    views[view] = own.map((chunk) => chunk.replace('./', ''))
  }
  return views
}

/** A chunk and all that it imports, without what it loads later. */
function closureOf(name: string, chunks: Readonly<Record<string, Chunk>>, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  for (const { path, kind } of chunks[name]!.imports)
    if (kind !== 'dynamic-import' && path in chunks) closureOf(path, chunks, seen)
  return [...seen]
}
