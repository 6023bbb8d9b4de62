import { useState } from 'preact/hooks'
import { createKey, type NewKey, type Role } from '../../../api/keys.ts'
import { Field } from '../../../components/controls/field.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { accessText } from '../../../text/settings/access.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { expiryOf, type Life, lives } from './lives.ts'

const scopeShape = /^(?:\*|[^/\s]+(?:\/[^/\s]+)?)$/
const roles = (['read', 'write', 'admin'] as const).map((id) => ({ id, label: id }))

/** Asks what the key is for, and for how long. */
export function NewKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: NewKey) => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('write')
  const [scope, setScope] = useState('*')
  const [life, setLife] = useState<Life>('never')
  const isScope = scopeShape.test(scope.trim())
  const save = async (): Promise<void> => {
    onMade(await createKey({ name: name.trim(), role, scope: scope.trim(), expires_at: expiryOf(life) }))
  }
  return (
    <SettingsForm
      title={accessText.newKey}
      verb={accessText.create}
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
          <div class={css.pair}>
            <Select label={accessText.rights} options={roles} value={role} onChange={setRole} />
            <Select label={accessText.expires} options={lives} value={life} onChange={setLife} />
          </div>
          <p class={css.hint}>{accessText.roleHint}</p>
        </>
      )}
    </SettingsForm>
  )
}
