import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { tinykeys } from 'tinykeys'
import { preferences } from './preferences.ts'

/** A key that does something on the page that is shown. */
export interface KeyBinding {
  /** Key in the syntax of tinykeys: `j`, `g t`, `Shift+?`, `$mod+k`. */
  readonly keys: string
  /** Description for the list of keys. */
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
  /** Whether it works while the focus is in a field or a dialog is open. */
  readonly everywhere?: boolean
}

/** All bindings on the page, the shell's first. */
export const activeKeys = signal<readonly (readonly KeyBinding[])[]>([])

/** The key that was pressed last. */
let lastKey: Event | undefined
addEventListener(
  'keydown',
  (event) => {
    lastKey = event
  },
  { capture: true },
)

/**
 * Binds keys while the component is there, as soon as it is seen. Keys without a modifier rest
 * while somebody types.
 */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings)
  latest.current = bindings
  const spelled = bindings.map(({ keys }) => keys).join('|')
  useLayoutEffect(() => {
    const shown = latest.current
    // What has led to this component may be a key that is still on its way to the window.
    const before = lastKey
    const handlers = Object.fromEntries(
      shown.map(({ keys }, index) => [
        keys,
        (event: KeyboardEvent) => {
          const binding = latest.current[index]
          if (!binding || event === before || !isMeant(binding, event)) return
          event.preventDefault()
          binding.run(event)
        },
      ]),
    )
    activeKeys.value = [...activeKeys.peek(), shown]
    // Fields are left out by `isMeant`, which knows the keys that work everywhere.
    const release = tinykeys(window, handlers, { ignore: ({ repeat, isComposing }) => repeat || isComposing })
    return () => {
      release()
      activeKeys.value = activeKeys.peek().filter((group) => group !== shown)
    }
  }, [spelled])
}

function isMeant({ keys, everywhere }: KeyBinding, event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false
  if (everywhere) return true
  // A key with a modifier is no letter, yet what is typed has its own undo.
  if (!keys.startsWith('$mod+')) {
    if (!preferences.peek().singleKeys) return false
    if (event.ctrlKey || event.metaKey || event.altKey) return false
  }
  return (
    !isTyping(event.target) &&
    !pressesFocused(keys, event.target) &&
    document.querySelector('dialog[open], [popover]:popover-open:not([data-tip-layer])') === null
  )
}

/** Enter and Space press the button or link that has the focus. */
const pressesFocused = (keys: string, target: EventTarget | null): boolean =>
  (keys === 'Enter' || keys === 'Space') &&
  target instanceof HTMLElement &&
  target.matches(`button, a[href], summary${keys === 'Space' ? ', input' : ''}`)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range])'))
