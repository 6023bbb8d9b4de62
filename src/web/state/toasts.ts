import { signal } from '@preact/signals'

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
