/** On a phone the list of pages is behind a button; elsewhere it shows the current page. */
export function startMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu')!
  const pages = document.querySelector<HTMLElement>('#pages')!
  const setOpen = (isOpen: boolean): void => {
    pages.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.hidden = false
  button.addEventListener('click', () => setOpen(!pages.classList.contains('open')))
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') setOpen(false)
  })
  const current = pages.querySelector<HTMLElement>('[aria-current]')
  if (current !== null && current.offsetTop > pages.clientHeight - 80) {
    pages.scrollTop = current.offsetTop - pages.clientHeight / 2
  }
}
