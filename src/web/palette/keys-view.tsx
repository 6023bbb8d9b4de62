import { X } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { activeKeys } from '../state/keys.ts'
import { keysShown } from '../state/palette.ts'
import { preferences } from '../state/preferences.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import { keyNames } from './key-names.ts'
import css from './keys-view.module.css'

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
