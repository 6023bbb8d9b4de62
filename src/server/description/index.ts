import { Elysia } from 'elysia'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { readPackageAsset } from '../../runtime/platform/files/package-asset.ts'
import type { DescribedRoute } from '../requests/operation.ts'
import { describeRoutes } from './openapi.ts'

/** Swagger UI page for `/openapi.json`. All assets come from this server, so it works offline. */
const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>tracelake API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <div id="api"></div>
  </body>
</html>
`

/**
 * Starts Swagger UI. A separate file, because the content security policy forbids inline scripts.
 */
const docsStartScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`

/**
 * Content security policy that confines the page to this server. Swagger UI uses inline styles, so
 * these are allowed.
 */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Paths of this group. They describe the server to anyone and require no key. */
export const descriptionPaths: readonly string[] = [
  '/openapi.json',
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
]

/**
 * Serves `/openapi.json`, generated from the schemas of `routes`, and `/docs`, a page that displays
 * it.
 *
 * @param routes routes to describe, called at the first request for the description
 */
export function descriptionApi(dialect: Dialect, routes: () => readonly DescribedRoute[]) {
  const describe = once(() => JSON.stringify(describeRoutes(routes(), dialect)))
  const script = once(() => readPackageAsset('swagger-ui-dist/swagger-ui-bundle.js'))
  const style = once(() => readPackageAsset('swagger-ui-dist/swagger-ui.css'))
  return new Elysia({ normalize: false })
    .get('/openapi.json', () => answer(describe(), 'application/json'), hidden)
    .get('/docs', () => answer(docsPage, 'text/html; charset=utf-8', pageHeaders), hidden)
    .get('/docs/start.js', () => answer(docsStartScript, 'text/javascript'), hidden)
    .get('/docs/swagger-ui-bundle.js', async () => answer(await script(), 'text/javascript', assetHeaders), hidden)
    .get('/docs/swagger-ui.css', async () => answer(await style(), 'text/css', assetHeaders), hidden)
}

const hidden = { detail: { hide: true } }
const pageHeaders = { 'content-security-policy': docsPolicy }
const assetHeaders = { 'cache-control': 'public, max-age=86400' }

const answer = (body: string | Uint8Array<ArrayBuffer>, type: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': type, 'x-content-type-options': 'nosniff', ...headers } })

/** Computed on first use, when all routes have been registered. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
