import mime from 'mime'
import { valueAt } from '../../lib/present.ts'
import { chooseCoding } from '../../runtime/http/compression.ts'
import { sha256Base64Url } from '../../runtime/platform/crypto.ts'
import { readWebFiles, type WebFiles } from '../../runtime/platform/files/web-files.ts'
import { uiHeaders } from './policy.ts'
import { sessionTokenOf } from './session-cookie.ts'
import { linkOfPath } from './shared-links.ts'

/** The page of a view. */
interface Shell {
  readonly html: string
  readonly etag: string
}

/** What the build says about a view. */
interface ViewFiles {
  /**
   * Scripts of the view, its own first, for example `assets/calls-view-1a2b3c.js`: they load with
   * the entry.
   */
  readonly scripts: readonly string[]
  /** A script that asks for what the view shows before the others are there. */
  readonly first?: string
}

interface ShellOptions extends ViewFiles {
  /** Path of the server as browsers see it, without a slash at the end. */
  readonly basePath: string
  /** Name of the OpenID provider that users may sign in through. */
  readonly provider: string | undefined
  /** Whether the browser has a session, which every view asks for first. */
  readonly hasSession: boolean
}

/**
 * Makes the built page work below a base path: its files and its script learn the path here, so a
 * build serves under any.
 *
 * @param built `index.html`, with references relative to the folder of `assets/`
 */
function makeShell(built: string, { basePath, provider, scripts, first, hasSession }: ShellOptions): Shell {
  const preloads = [
    ...(hasSession ? [`<link rel="preload" as="fetch" crossorigin href="${basePath}/ui/session">`] : []),
    ...scripts.map((script) => `<link rel="modulepreload" href="${basePath}/ui/${script}">`),
    // Runs right after the entry: the view asks for its rows before anything is drawn.
    ...scripts.slice(0, 1).map((script) => `<script type="module" src="${basePath}/ui/${script}"></script>`),
  ]
  const metas = [
    '<meta charset="utf-8">',
    `<meta name="tracelake-base" content="${basePath}">`,
    // The login page then offers it at once.
    ...(provider === undefined ? [] : [`<meta name="tracelake-provider" content="${escaped(provider)}">`]),
    // Views then ask for their rows without waiting for the session.
    ...(hasSession ? ['<meta name="tracelake-session">'] : []),
    // Needs what stands above. It runs before the scripts of the page are there.
    ...(hasSession && first !== undefined ? [`<script src="${basePath}/ui/${first}"></script>`] : []),
  ]
  const html = built
    .replaceAll('"./assets/', () => `"${basePath}/ui/assets/`)
    .replace('<head>', () => `<head>${metas.join('')}`)
    .replace('</head>', () => `${preloads.join('')}</head>`)
  return { html, etag: `"${sha256Base64Url(html)}"` }
}

const escaped = (text: string): string => text.replace(/[&"'<>]/g, (char) => `&#${char.charCodeAt(0)};`)

const codings = { br: '.br', gzip: '.gz' } as const

/** Serves the built web UI: hashed assets, and a page for every route. */
export class Pages {
  private readonly basePath: string
  private readonly provider: string | undefined
  private made: { readonly files: WebFiles; readonly shells: Map<string, Shell> } | undefined

  /**
   * @param basePath path of the server as browsers see it, without a slash at the end
   * @param provider name of the OpenID provider that users may sign in through
   */
  constructor(basePath: string, provider: string | undefined) {
    this.basePath = basePath
    this.provider = provider
  }

  /**
   * @param path below `/ui`, for example `/assets/app-1a2b3c.js`
   * @throws Error if the UI has not been built
   */
  async answer(path: string, headers: Headers): Promise<Response> {
    const files = await readWebFiles()
    if (path.startsWith('/assets/')) return assetAnswer(files, path.slice(1), headers)
    if (this.made?.files !== files) this.made = { files, shells: new Map() }
    // A visitor of a read-only link is nobody, whoever else is signed in here.
    if (viewOf(path) === 'shared') return unlisted(shellAnswer(this.shellOf(this.made, 'shared', false), headers))
    return shellAnswer(this.shellOf(this.made, viewOf(path), sessionTokenOf(headers) !== undefined), headers)
  }

  private shellOf({ files, shells }: NonNullable<Pages['made']>, view: string, hasSession: boolean): Shell {
    const page = files.get('index.html')
    if (page === undefined)
      throw new Error('Cannot serve the web UI: its build has no index.html; run scripts/build again')
    const viewFiles = filesOf(files, view)
    // Views that the build does not know share a page, so the map stays small.
    const key = `${viewFiles === undefined ? '' : view} ${hasSession}`
    const shell =
      shells.get(key) ??
      makeShell(decoder.decode(page), {
        basePath: this.basePath,
        provider: this.provider,
        hasSession,
        ...(viewFiles ?? { scripts: [] }),
      })
    shells.set(key, shell)
    return shell
  }
}

const decoder = new TextDecoder()

/** Name of the view that a path below `/ui` shows: `calls` for `/acme/bot/calls`. */
function viewOf(path: string): string {
  if (linkOfPath(`/ui${path}`) !== undefined) return 'shared'
  const [first, project, view] = path.split('/').slice(1)
  if (project === undefined) return first === '' ? 'projects' : (first ?? '')
  return first === 'settings' ? first : view || 'traces'
}

/** Asks search engines to leave a page out. */
function unlisted(page: Response): Response {
  page.headers.set('x-robots-tag', 'noindex, nofollow, noarchive')
  return page
}

/** What a view needs beside the entry. */
function filesOf(files: WebFiles, view: string): ViewFiles | undefined {
  const views = files.get('views.json')
  const known: Readonly<Record<string, ViewFiles>> = views === undefined ? {} : JSON.parse(decoder.decode(views))
  return Object.hasOwn(known, view) ? known[view] : undefined
}

function shellAnswer({ html, etag }: Shell, headers: Headers): Response {
  const answerHeaders = { ...uiHeaders, 'cache-control': 'no-cache', etag }
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: answerHeaders })
  return new Response(html, { headers: { ...answerHeaders, 'content-type': 'text/html; charset=utf-8' } })
}

/** Compressed versions were made with the build: an answer costs a look-up. */
function assetAnswer(files: WebFiles, name: string, headers: Headers): Response {
  const plain = files.get(name)
  if (plain === undefined)
    return Response.json(
      { detail: 'Not Found' },
      { status: 404, headers: { ...uiHeaders, 'cache-control': 'no-store' } },
    )
  const offered = (['br', 'gzip'] as const).filter((coding) => files.has(name + codings[coding]))
  const coding = chooseCoding(headers.get('accept-encoding'), offered)
  return new Response(coding === undefined ? plain : valueAt(files, name + codings[coding]), {
    headers: {
      ...uiHeaders,
      'content-type': mediaTypeOf(name),
      // Names carry a hash of the content.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
  })
}

function mediaTypeOf(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
