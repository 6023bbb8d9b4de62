import path from 'node:path'

/** Place of a file of the repository, relative to the root of the site; undefined without one. */
export type PlaceOf = (file: string) => string | undefined

const relative = /^(?![a-z][a-z0-9+.-]*:|#|\/)/i

/**
 * Makes the relative links and pictures of a document lead to the pages of the site. Links to files
 * that the site does not have become plain text.
 *
 * @param from file of the document, from the root of the repository
 * @param page path of its page from the root of the site
 */
export function withSiteLinks(text: string, from: string, page: string, placeOf: PlaceOf): string {
  const hrefOf = (target: string): string | undefined => {
    if (!relative.test(target)) return target
    const [file = '', fragment] = target.split('#')
    const place = placeOf(path.posix.join(path.posix.dirname(from), file))
    if (place === undefined) return undefined
    const href = path.posix.relative(path.posix.dirname(page), place) || './'
    return fragment === undefined ? href : `${href}#${fragment}`
  }
  return outsideCode(text, (part) =>
    part
      .replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, mark: string, label: string, target: string) => {
        const href = hrefOf(target)
        return href === undefined ? label : `${mark}[${label}](${href})`
      })
      .replace(/\b(src|srcset)="([^"]+)"/g, (all, name: string, target: string) => {
        const href = hrefOf(target)
        return href === undefined ? all : `${name}="${href}"`
      }),
  )
}

/** Changes what is not in a fenced block. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}
