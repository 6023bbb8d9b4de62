import { signal } from '@preact/signals'

/** The address of a view whose script is being loaded. The page before it stays until then. */
export const opening = signal<string | undefined>(undefined)

/** Loads the view of a path; undefined if it is loaded. */
type Prepare = (path: string) => Promise<void> | undefined

interface Opener {
  readonly prepare: Prepare
  /** Shows an address whose view is loaded. */
  readonly show: (url: string, replace: boolean) => void
  /** Says that a view could not be loaded; the page stays. */
  readonly failed: (failure: unknown, url: string) => void
}

let turn = 0

/** Gives up what is being opened: somebody went elsewhere. */
export function stopOpening(): void {
  turn++
  opening.value = undefined
}

/** Shows the view of an address as soon as its script is loaded; the latest call wins. */
export function openView(url: string, replace: boolean, { prepare, show, failed }: Opener): void {
  stopOpening()
  const own = turn
  const loading = prepare(new URL(url, location.href).pathname)
  if (!loading) {
    show(url, replace)
    return
  }
  opening.value = url
  const end = (then: () => void) => {
    if (turn !== own) return
    opening.value = undefined
    then()
  }
  loading.then(
    () => end(() => show(url, replace)),
    (failure: unknown) => end(() => failed(failure, url)),
  )
}
