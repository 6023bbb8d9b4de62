import { useEffect, useRef } from 'preact/hooks'
import { cellsOfPaste } from './paste.ts'

/** Handles paste and copy unless a text field has the focus or text is selected. */
export function useClipboard(
  onPaste: ((cells: readonly (readonly string[])[]) => void) | undefined,
  copied: () => string | undefined,
): void {
  const latest = useRef({ onPaste, copied })
  latest.current = { onPaste, copied }
  useEffect(() => {
    const isFree = ({ target }: Event) =>
      !(target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')) &&
      document.querySelector('dialog[open]') === null
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text === '' || !isFree(event) || latest.current.onPaste === undefined) return
      event.preventDefault()
      latest.current.onPaste(cellsOfPaste(text))
    }
    const copy = (event: ClipboardEvent) => {
      if (!isFree(event) || getSelection()?.toString()) return
      const text = latest.current.copied()
      if (text === undefined) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', text)
    }
    addEventListener('paste', paste)
    addEventListener('copy', copy)
    return () => {
      removeEventListener('paste', paste)
      removeEventListener('copy', copy)
    }
  }, [])
}
