const added: { readonly order: number; readonly sheet: CSSStyleSheet }[] = []

/**
 * Adds rules to the page. The build calls it in the scripts of views, each of which brings its own
 * styles; wherever a view is opened first, rules stand in the order that they have in the sources.
 */
export function addStyles(order: number, css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  added.push({ order, sheet })
  added.sort((a, b) => a.order - b.order)
  document.adoptedStyleSheets = added.map((each) => each.sheet)
}
