import { sha256Base64Url } from '../../runtime/platform/crypto.ts'

/** The page of a view. */
export interface Shell {
  readonly html: string
  readonly etag: string
}

interface ShellOptions {
  /** Path of the server as browsers see it, without a slash at the end. */
  readonly basePath: string
  /** Name of the OpenID provider that users may sign in through. */
  readonly provider: string | undefined
  /**
   * Scripts of the view, its own first, for example `assets/calls-view-1a2b3c.js`: they load with
   * the entry.
   */
  readonly scripts: readonly string[]
  /** Whether the browser has a session, which every view asks for first. */
  readonly hasSession: boolean
}

/**
 * Makes the built page work below a base path: its files and its script learn the path here, so a
 * build serves under any.
 *
 * @param built `index.html`, with references relative to the folder of `assets/`
 */
export function makeShell(built: string, { basePath, provider, scripts, hasSession }: ShellOptions): Shell {
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
  ]
  const html = built
    .replaceAll('"./assets/', () => `"${basePath}/ui/assets/`)
    .replace('<head>', () => `<head>${metas.join('')}`)
    .replace('</head>', () => `${preloads.join('')}</head>`)
  return { html, etag: `"${sha256Base64Url(html)}"` }
}

const escaped = (text: string): string => text.replace(/[&"'<>]/g, (char) => `&#${char.charCodeAt(0)};`)
