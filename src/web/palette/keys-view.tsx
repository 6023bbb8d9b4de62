import { X } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { modKey } from '../components/controls/key-hint.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { activeKeys } from '../state/keys.ts'
import { keysShown } from '../state/palette.ts'
import { preferences } from '../state/preferences.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import css from './keys-view.module.css'

const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  Backspace: '⌫',
  BracketLeft: '[',
  BracketRight: ']',
  Enter: '↵',
  Escape: 'esc',
  Shift: '⇧',
  Slash: '/',
  Space: 'space',
}

/**
 * How keys are printed: `$mod+k` is `⌘` `K`, `g t` is `G` `T`. A shifted sign is printed as it is.
 */
function keyNames(keys: string): string[] {
  return keys
    .split(/[\s+]/)
    .filter((key, index, all) => !(key === 'Shift' && /^[^a-z0-9]$/i.test(all[index + 1] ?? '')))
    .map((key) => (key === '$mod' ? modKey.trim() : (names[key] ?? (key.length === 1 ? key.toUpperCase() : key))))
}

/** Every key that does something on this page. */
export default function KeysView() {
  const close = (): void => {
    keysShown.value = false
  }
  const groups = activeKeys.value
    .map((group) => group.filter(({ does }) => does !== ''))
    .filter(({ length }) => length > 0)
  return (
    <Dialog open onClose={close} title={shellText.help} class={css.dialog}>
      <div class={css.close}>
        <IconButton of={X} label={partsText.close} size="compact" autofocus onClick={close} />
      </div>
      <div class={css.groups}>
        {groups.toReversed().map((group, index) => (
          <dl key={index} class={css.group}>
            {group.map(({ keys, does }) => (
              <div key={keys} class={css.key}>
                <dt>{does}</dt>
                <dd>
                  {keyNames(keys).map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      {!preferences.value.singleKeys && <p>{shellText.singleKeysOff}</p>}
    </Dialog>
  )
}
