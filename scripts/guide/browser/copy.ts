const shownMs = 1500

/** Gives every block of code a button that copies it. */
export function addCopyButtons(): void {
  // Browsers offer the clipboard to secure pages only.
  if (navigator.clipboard === undefined) return
  for (const block of document.querySelectorAll<HTMLElement>('article pre')) {
    const box = document.createElement('div')
    const button = document.createElement('button')
    box.className = 'code'
    button.className = 'copy'
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block.textContent ?? '', button))
    block.replaceWith(box)
    box.append(block, button)
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, shownMs)
}
