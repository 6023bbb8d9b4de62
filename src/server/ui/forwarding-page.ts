import { uiHeaders } from './policy.ts'

/**
 * A page that opens another of the UI. After a redirect from another site, the browser would not
 * send the cookie of the session, which it keeps from requests of other sites.
 *
 * @param path of a page of the UI
 */
export function forwardingPage(path: string, cookies: readonly string[]): Response {
  const target = path.replace(/[&"'<>]/g, (char) => `&#${char.charCodeAt(0)};`)
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tracelake</title>' +
    `<meta http-equiv="refresh" content="0;url=${target}"></head>` +
    `<body><a href="${target}">Continue</a></body></html>`
  const headers = new Headers({ ...uiHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(html, { headers })
}
