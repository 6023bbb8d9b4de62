import DOMPurify from 'dompurify'
import { Marked } from 'marked'

const marked = new Marked({ gfm: true, breaks: true, renderer: { html: ({ text }) => plainTags(text) } })

/** Tags without attributes that people and models mix into Markdown. */
const plainTag =
  /&lt;(\/?(?:b|blockquote|br|code|del|em|h[1-6]|hr|i|kbd|li|ol|p|pre|s|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul))\s*\/?&gt;/gi

/**
 * HTML in Markdown as text, apart from tags that only format. The parser of the sanitizer would act
 * on some of what it is to remove: it reports styles to the console, for example.
 */
const plainTags = (html: string): string =>
  html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(plainTag, '<$1>')

const tags = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em'],
  ...[
    'strong',
    'del',
    's',
    'sub',
    'sup',
    'kbd',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'a',
    'img',
    'span',
    'div',
  ],
]

/** Addresses that a link may lead to. */
const linkPattern = /^(?:https?:|mailto:)/i

/**
 * Markdown as elements. HTML in it stays text; links open outside, and nothing is loaded from
 * elsewhere: pictures become links.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false })
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', 'src', 'alt', 'title', 'start', 'align', 'colspan', 'rowspan'],
    ALLOWED_URI_REGEXP: linkPattern,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const image of fragment.querySelectorAll('img')) image.replaceWith(linkTo(image))
  for (const link of fragment.querySelectorAll('a')) {
    if (!link.hasAttribute('href')) {
      link.replaceWith(...link.childNodes)
      continue
    }
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
  // Headings of a message rank below those of the page.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const strong = document.createElement('p')
    strong.className = 'heading'
    strong.append(...heading.childNodes)
    heading.replaceWith(strong)
  }
  return fragment
}

function linkTo(image: HTMLImageElement): Node {
  const address = image.getAttribute('src') ?? ''
  const name = image.alt || address || 'image'
  if (!linkPattern.test(address)) return document.createTextNode(name)
  const link = document.createElement('a')
  link.href = address
  link.textContent = name
  return link
}
