/** Page that shows `/openapi.json` with Swagger UI. All it loads comes from this server: it works without internet. */
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

/** Starts Swagger UI on the page; a file of its own because the page's policy allows no script inside it. */
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
 * Keeps the page to its own server, whatever the documentation library would like to load. Swagger UI styles its elements inline, so
 * that has to be allowed.
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
