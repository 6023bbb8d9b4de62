/** The web UI keeps its preferences under the same name, and theme-boot.ts reads them. */
const storageKey = 'tracelake'

/** Lets the reader change between light and dark, for the guide and the web UI alike. */
export function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme')!
  button.hidden = false
  button.addEventListener('click', () => {
    const { dataset } = document.documentElement
    const shown = dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
    const theme = shown === 'dark' ? 'light' : 'dark'
    dataset['theme'] = theme
    keep(theme)
  })
}

function keep(theme: 'light' | 'dark'): void {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    const preferences = typeof saved === 'object' && saved !== null ? saved : {}
    localStorage.setItem(storageKey, JSON.stringify({ ...preferences, theme }))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
