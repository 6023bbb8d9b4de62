/** Swagger UI page for `/openapi.json`. All assets come from this server, so it works offline. */
export const docsPage = `<!doctype html>
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
export const docsStartScript = `SwaggerUIBundle({
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
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
