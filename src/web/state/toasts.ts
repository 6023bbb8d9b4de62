import { signal } from '@preact/signals'
import { shellText } from '../text/shell.ts'

/** A short message at the edge of the page. */
export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'error' | 'news'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const shownMs = 5_000
const undoableMs = 10_000
const toastsMax = 4

/** The messages on the page, oldest first. */
export const toasts = signal<readonly Toast[]>([])

let lastId = 0

/** Takes a message away. */
export const dismiss = (id: number): void => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** Shows a message; with an action for 10 s, without for 5 s. Errors stay. @returns its id */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++lastId
  toasts.value = [...toasts.peek(), { ...toast, id }].slice(-toastsMax)
  if (toast.kind !== 'error') setTimeout(() => dismiss(id), toast.action ? undoableMs : shownMs)
  return id
}

/** Something done that can be taken back for ten seconds. */
interface Undoable {
  /** The completed action: `3 traces deleted`. */
  readonly text: string
  readonly undo: () => void | Promise<void>
}

/** Says what was done and offers to take it back. */
export function offerUndo({ text, undo }: Undoable): void {
  const id = showToast({
    kind: 'done',
    text,
    action: {
      label: shellText.undo,
      run: () => {
        dismiss(id)
        void Promise.resolve(undo()).catch(showError)
      },
    },
  })
}

/** Shows an error that no place on the page explains better. */
export const showError = (error: unknown): void => {
  showToast({ kind: 'error', text: error instanceof Error ? error.message : String(error) })
}
