import { cp, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import Eleventy, { type EleventyConfig } from '@11ty/eleventy'
import { buildAssets } from './build-assets.ts'
import { type Document, readDocuments } from './documents.ts'
import { type PlaceOf, withSiteLinks } from './links.ts'
import { llmsFull, llmsIndex } from './llms-texts.ts'
import { configureMarkdown } from './markdown.ts'
import { readNavigation } from './navigation.ts'
import { pageData } from './page-data.ts'
import { searchSections } from './search-sections.ts'

const pictures = 'docs/images/'
/** Path of the site in the server. */
const servedBelow = 'docs/guide/'

interface GuideOptions {
  /** Whether a tracelake server shows the site, so that pages may link to its web UI. */
  readonly hasServer: boolean
}

/**
 * Builds the site into `folder`: a page of HTML and one of Markdown for every document, hashed
 * files in `assets/`, pictures, and the files for models. All references are relative, so the site
 * works under any path. The folder is replaced as a whole. See
 * docs/decisions/180-guide-as-a-site.md.
 */
export async function buildGuide(repository: string, folder: string, { hasServer }: GuideOptions): Promise<void> {
  const stage = `${folder}-${process.pid}`
  await rm(stage, { recursive: true, force: true })
  try {
    const documents = await readDocuments(repository)
    const navigation = readNavigation(documents)
    const pages = new Map(documents.map(({ file, page }) => [file, page]))
    const shown = new Set<string>()
    const placeIn = (suffix: string): PlaceOf => {
      return (file) => {
        const page = pages.get(file)
        if (page !== undefined) return page === 'index' && suffix === '' ? '' : `${page}${suffix}`
        if (!file.startsWith(pictures)) return undefined
        shown.add(file)
        return file.slice('docs/'.length)
      }
    }
    const assets = await buildAssets(repository, stage, searchSections(documents, navigation))
    await writePages(path.join(import.meta.dir, 'site'), stage, (config) => {
      configureMarkdown(config)
      for (const document of documents)
        config.addTemplate(`${document.page}.md`, linked(document, placeIn('')), {
          ...pageData(document, navigation, assets),
          permalink: `${document.page}.html`,
          hasServer,
          // Documents show braces that are no templates.
          templateEngineOverride: 'md',
        })
    })
    for (const document of documents)
      await Bun.write(path.join(stage, `${document.page}.md`), linked(document, placeIn('.md')))
    for (const file of shown) await cp(path.join(repository, file), path.join(stage, file.slice('docs/'.length)))
    await Bun.write(path.join(stage, 'llms.txt'), llmsIndex(navigation, hasServer ? servedBelow : ''))
    await Bun.write(path.join(stage, 'llms-full.txt'), llmsFull(navigation, documents))
    await replaceFolder(stage, folder)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

const linked = ({ text, file, page }: Document, placeOf: PlaceOf): string => withSiteLinks(text, file, page, placeOf)

/** Eleventy renders Markdown into the layout in `site`. */
async function writePages(site: string, out: string, configure: (config: EleventyConfig) => void): Promise<void> {
  // It reads and writes paths relative to the working directory.
  const relative = (folder: string): string => path.relative(process.cwd(), folder) || '.'
  const eleventy = new Eleventy(relative(site), relative(out), {
    quietMode: true,
    configPath: false,
    config: (config) => {
      config.setUseGitIgnore(false)
      configure(config)
    },
  })
  await eleventy.write()
}

async function replaceFolder(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true })
  await rm(to, { recursive: true, force: true })
  await rename(from, to)
}
