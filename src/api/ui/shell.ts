import { sha256Base64Url } from '../../platform/crypto.ts'

/** The page of every route of the UI. */
export interface Shell {
  readonly html: string
  readonly etag: string
}

/**
 * Makes the built page work below `basePath`: its files and its script learn the path here, so a
 * build serves under any.
 *
 * @param built `index.html`, with references relative to the folder of `assets/`
 */
export function makeShell(built: string, basePath: string): Shell {
  const html = built
    .replaceAll('"./assets/', () => `"${basePath}/ui/assets/`)
    .replace('<head>', () => `<head><meta charset="utf-8"><meta name="tracelake-base" content="${basePath}">`)
  return { html, etag: `"${sha256Base64Url(html)}"` }
}
