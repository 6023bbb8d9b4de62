import mime from 'mime'
import { findSiteFile } from '../../runtime/platform/files/site-files.ts'
import { uiHeaders } from '../ui/policy.ts'

const site = '/docs/guide/'
/** Where models look for an index, as https://llmstxt.org proposes. */
const rootFiles: ReadonlySet<string> = new Set(['/llms.txt', '/llms-full.txt'])

/** Whether a request is meant for the guide. */
export const asksForGuide = ({ method }: Request, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && (path.startsWith(site) || `${path}/` === site || rootFiles.has(path))

/**
 * Answers a request for a page of the guide, or for a file that its pages use. All references of
 * the site are relative, so the base path of the server does not matter.
 */
export async function answerGuide(path: string): Promise<Response> {
  // Pages refer to others relative to their folder.
  if (`${path}/` === site) return new Response(null, { status: 302, headers: { location: 'guide/' } })
  if (path.length > site.length && path.endsWith('/')) {
    const page = path.slice(0, -1).split('/').at(-1)!
    return new Response(null, { status: 302, headers: { location: `../${page}` } })
  }
  const name = rootFiles.has(path) ? path.slice(1) : fileOf(path.slice(site.length))
  const bytes = await findSiteFile(name)
  if (bytes !== undefined) return new Response(bytes, { headers: headersOf(name) })
  const isBuilt = (await findSiteFile('index.html')) !== undefined
  const [status, text] = isBuilt
    ? [404, 'The guide has no such page; it begins at /docs/guide/.\n']
    : [503, 'The guide has not been built yet; scripts/build --guide builds it.\n']
  return new Response(text, {
    status,
    headers: { ...uiHeaders, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Addresses of pages have no extension. */
function fileOf(page: string): string {
  if (page === '') return 'index.html'
  return /\.(?:md|txt|json|js|css|webp)$/.test(page) ? page : `${page}.html`
}

function headersOf(name: string): Record<string, string> {
  const type = name.endsWith('.md') ? 'text/markdown' : (mime.getType(name) ?? 'application/octet-stream')
  return {
    ...uiHeaders,
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    // Names in assets/ carry a hash of the content.
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
