import { Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Tabs } from '../components/controls/tabs.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { canWrite } from '../state/session.ts'
import { showError } from '../state/toasts.ts'
import { savedText } from '../text/saved.ts'
import css from './named-tabs.module.css'

const first = ''

/**
 * Saved items as tabs, after one tab that is always there. A dot after the name marks unsaved
 * changes.
 */
export function NamedTabs({ words, items, current, isChanged, onSelect, onSave, onDrop }: NamedTabsProps) {
  const [isNaming, setNaming] = useState(false)
  const item = items.find(({ id }) => id === current)
  const tabs = [
    { id: first, label: words.first },
    ...items.map(({ id, label }) => ({ id, label: id === current && isChanged ? savedText.changed(label) : label })),
  ]
  return (
    <div class={css.tabs}>
      <Tabs tabs={tabs} current={item?.id ?? first} onSelect={onSelect} label={words.label} />
      {canWrite.value && (
        <>
          {item && isChanged && (
            <Button kind="quiet" size="compact" onClick={() => void onSave(item.label).catch(showError)}>
              {savedText.save}
            </Button>
          )}
          {item && !isChanged && (
            <IconButton
              of={Trash2}
              size="compact"
              iconSize={14}
              label={savedText.drop(item.label)}
              onClick={() => void onDrop(item.id).catch(showError)}
            />
          )}
          <IconButton of={Plus} size="compact" label={words.add} onClick={() => setNaming(true)} />
        </>
      )}
      {isNaming && (
        <NameDialog
          words={words}
          onClose={() => setNaming(false)}
          onSave={(label) => onSave(label).then(() => setNaming(false))}
        />
      )}
    </div>
  )
}

interface NameDialogProps {
  readonly words: SavedWords
  readonly onClose: () => void
  readonly onSave: (label: string) => Promise<void>
}

function NameDialog({ words, onClose, onSave }: NameDialogProps) {
  const [label, setLabel] = useState('')
  return (
    <FormDialog
      title={words.add}
      verb={savedText.save}
      isReady={label.trim() !== ''}
      formClass={css.form}
      submit={() => onSave(label.trim())}
      onClose={onClose}
    >
      <Field
        label={savedText.name}
        placeholder={words.example}
        hint={words.hint}
        value={label}
        required
        autofocus
        onInput={(event) => setLabel(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

interface SavedWords {
  readonly label: string
  /** Name of the tab that is always there. */
  readonly first: string
  readonly add: string
  readonly example: string
  readonly hint: string
}

interface NamedTabsProps {
  readonly words: SavedWords
  readonly items: readonly { readonly id: string; readonly label: string }[]
  /** Id of the item that was chosen last. */
  readonly current: string
  readonly isChanged: boolean
  /** With an empty id for the first tab. */
  readonly onSelect: (id: string) => void
  readonly onSave: (label: string) => Promise<void>
  readonly onDrop: (id: string) => Promise<void>
}
