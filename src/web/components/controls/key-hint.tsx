import { preferences } from '../../state/preferences.ts'
import css from './key-hint.module.css'

const isApple = /Mac|iP(?:hone|ad)/.test(globalThis.navigator?.platform ?? '')

/** How the key of shortcuts is printed on this machine. */
export const modKey = isApple ? '⌘' : 'Ctrl '

/** A key or several, `j k`, `⌘K`, printed in grey. Nothing where single keys are turned off. */
export function KeyHint({ keys, plain = false }: { keys: string; plain?: boolean }) {
  if (!preferences.value.singleKeys && [...keys].length === 1) return null
  return (
    <span class={css.keys} aria-hidden>
      {keys.split(' ').map((key) => (
        <kbd key={key} class={plain ? css.plain : css.key}>
          {key.replace('⌘', modKey)}
        </kbd>
      ))}
    </span>
  )
}
