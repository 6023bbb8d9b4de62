import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { IconButton } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { type StatementTabs, tabsMax } from '../../sql/statement-tabs.ts'
import { savedText } from '../../text/saved.ts'
import { sqlText } from '../../text/sql.ts'
import css from './sql-view.module.css'

interface SqlTabsProps {
  readonly tabs: StatementTabs
  /** Whether the rows of a tab are of another statement than the one that it has now. */
  readonly isChanged: (id: string, statement: string) => boolean
}

/** The statements of this browser as tabs. */
export function SqlTabs({ tabs: { tabs, current, select, add, rename, close }, isChanged }: SqlTabsProps) {
  const [isNaming, setNaming] = useState(false)
  const shown = tabs.map(({ id, label, statement }) => ({
    id,
    label: isChanged(id, statement) ? savedText.changed(label) : label,
  }))
  return (
    <div class={css.tabs}>
      <Tabs label={sqlText.tabs.label} tabs={shown} current={current.id} onSelect={select} />
      <MenuButton
        label={sqlText.tabs.menu(current.label)}
        kind="quiet"
        size="compact"
        items={[
          { label: sqlText.tabs.rename, run: () => setNaming(true) },
          { label: sqlText.tabs.close, run: close },
        ]}
      />
      <IconButton of={Plus} size="compact" label={sqlText.tabs.add} disabled={tabs.length >= tabsMax} onClick={add} />
      {isNaming && <NameDialog label={current.label} onSave={rename} onClose={() => setNaming(false)} />}
    </div>
  )
}

interface NameDialogProps {
  readonly label: string
  readonly onSave: (label: string) => void
  readonly onClose: () => void
}

function NameDialog({ label: before, onSave, onClose }: NameDialogProps) {
  const [label, setLabel] = useState(before)
  const save = (): void => {
    onSave(label.trim())
    onClose()
  }
  return (
    <FormDialog
      title={sqlText.tabs.rename}
      verb={sqlText.tabs.save}
      isReady={label.trim() !== ''}
      formClass={css.naming}
      submit={save}
      onClose={onClose}
    >
      <Field
        label={savedText.name}
        value={label}
        maxLength={60}
        required
        autofocus
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
    </FormDialog>
  )
}
