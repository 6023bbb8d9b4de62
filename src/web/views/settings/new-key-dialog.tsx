import { useState } from 'preact/hooks'
import { createKey, type NewKey, type Role } from '../../api/keys.ts'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { accessText } from '../../text/access.ts'
import { FormDialog } from './form-dialog.tsx'

const scopeShape = /^(?:\*|[^/\s]+(?:\/[^/\s]+)?)$/
const roles = (['read', 'write', 'admin'] as const).map((id) => ({ id, label: id }))

/** Asks what the key is for. */
export function NewKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: NewKey) => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('write')
  const [scope, setScope] = useState('*')
  const isScope = scopeShape.test(scope.trim())
  const save = async (): Promise<void> => {
    onMade(await createKey({ name: name.trim(), role, scope: scope.trim() }))
  }
  return (
    <FormDialog
      title={accessText.newKey}
      action={accessText.create}
      isReady={name.trim() !== '' && isScope}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={accessText.name}
            hint={accessText.nameHint}
            placeholder="ci-evaluations"
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <Field
            label={accessText.scope}
            hint={accessText.scopeHint}
            value={scope}
            error={isScope ? undefined : accessText.scopeWrong}
            onInput={(event) => setScope(event.currentTarget.value)}
          />
          <Select
            label={accessText.rights}
            hint={accessText.roleHint}
            options={roles}
            value={role}
            onChange={setRole}
          />
        </>
      )}
    </FormDialog>
  )
}
