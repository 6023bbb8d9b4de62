import { preferences } from '../../state/preferences.ts'
import css from './key-hint.module.css'
import { modKey } from './mod-key.ts'

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
