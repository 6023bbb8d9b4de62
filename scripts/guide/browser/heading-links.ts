/** Links beside headings, and a mark in the outline for the heading that is being read. */
export function addHeadingLinks(): void {
  const headings = [...document.querySelectorAll<HTMLElement>('article :is(h2, h3, h4)[id]')]
  for (const heading of headings) {
    const link = document.createElement('a')
    link.className = 'anchor'
    link.href = `#${heading.id}`
    link.textContent = '#'
    link.setAttribute('aria-label', `Link to “${heading.textContent}”`)
    heading.append(link)
  }
  const items = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.outline a')].map((link) => [link.hash.slice(1), link]),
  )
  const markCurrent = (): void => {
    const read = headings.filter((heading) => items.has(heading.id) && heading.getBoundingClientRect().top < 120)
    const current = read.at(-1)?.id
    for (const [id, link] of items) {
      if (id === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  addEventListener('scroll', markCurrent, { passive: true })
  markCurrent()
}
