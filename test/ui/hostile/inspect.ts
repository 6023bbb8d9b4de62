/** Runs in the page. @returns what no text of a client may have become, one line each */
export function findInjected(): string[] {
  const found: string[] = []
  if ('hostileRan' in globalThis) found.push('a script ran')
  if (document.title.length > 400) found.push('the title holds a whole text')
  const foreign =
    'iframe, object, embed, base, meta[http-equiv], form[action], style:not([data-own]), animate, x-y, math'
  for (const element of document.querySelectorAll(foreign)) found.push(`element: ${element.outerHTML.slice(0, 120)}`)
  for (const script of document.querySelectorAll<HTMLScriptElement>('script, link[rel=stylesheet]')) {
    const address = script instanceof HTMLScriptElement ? script.src : (script as HTMLLinkElement).href
    if (!address.startsWith(`${location.origin}/`)) found.push(`element: ${script.outerHTML.slice(0, 120)}`)
  }
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const isAddress = /^(?:href|src|action|formaction|data|xlink:href|srcset|poster|background)$/.test(name)
      // Browsers skip control characters at the beginning and line breaks anywhere.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
      const address = value.replace(/[\u0000-\u0020]/g, '').toLowerCase()
      if (name.startsWith('on')) found.push(`handler ${name} on ${element.outerHTML.slice(0, 120)}`)
      if (isAddress && /^(?:javascript|vbscript|data:text|data:application)/.test(address))
        found.push(`${name}=${value.slice(0, 80)}`)
    }
  }
  return found
}
