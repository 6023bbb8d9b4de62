/** Runs in the page. @returns what is cut off at the side, one line each */
export function findCutOff(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const page = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []
  const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, h1')]
  const cut = controls
    .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((each) => !each.closest('.sr-only, .skip-link') && !scrollsSideways(each))
    .filter((each) => {
      const { left, right, width } = each.getBoundingClientRect()
      return width > 1 && (left < -1 || right > innerWidth + 1)
    })
  return [
    ...page,
    ...cut.map((each) => {
      const { left, right } = each.getBoundingClientRect()
      const name = each.getAttribute('aria-label') ?? each.textContent ?? ''
      return `${each.localName} "${name.trim().slice(0, 40)}" from ${Math.round(left)} to ${Math.round(right)}`
    }),
  ]

  /** What lies in a box that scrolls sideways can be brought into view. */
  function scrollsSideways(element: HTMLElement): boolean {
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box)
      if ((overflowX === 'auto' || overflowX === 'scroll') && box.scrollWidth > box.clientWidth) return true
    }
    return false
  }
}
