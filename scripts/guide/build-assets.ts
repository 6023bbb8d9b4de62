import path from 'node:path'
import type { SearchedSection } from './search-sections.ts'

/** Names of the files in `assets/` that pages refer to. */
export interface AssetNames {
  readonly style: string
  /** Sets the theme before the first paint. */
  readonly theme: string
  readonly script: string
  readonly search: string
}

/** Writes the style sheet, the scripts and the texts for the search, under names with a hash. */
export async function buildAssets(
  repository: string,
  site: string,
  sections: readonly SearchedSection[],
): Promise<AssetNames> {
  const out = path.join(site, 'assets')
  const browser = path.join(import.meta.dir, 'browser')
  const text = JSON.stringify(sections)
  const search = `search-${Bun.hash(text).toString(36)}.json`
  await Bun.write(path.join(out, search), text)
  return {
    search,
    style: await bundle(path.join(browser, 'guide.css'), out),
    theme: await bundle(path.join(repository, 'src/web/theme-boot.ts'), out),
    script: await bundle(path.join(browser, 'guide.ts'), out),
  }
}

/** @returns the name of the file */
async function bundle(entry: string, outdir: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [entry],
    outdir,
    naming: '[name]-[hash].[ext]',
    format: 'iife',
    target: 'browser',
    minify: true,
    throw: false,
  })
  for (const message of built.logs) console.error(message)
  if (!built.success) throw new Error('Build the guide: see the messages above')
  return path.basename(built.outputs[0]!.path)
}
