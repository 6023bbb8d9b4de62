import { shellText } from '../text/shell.ts'
import { dismiss, showToast } from './toasts.ts'

/** Something done that can be taken back for ten seconds. */
interface Undoable {
  /** What was done: `3 traces deleted`. */
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
