import { useState } from 'preact/hooks'
import { keysOf } from '../../../../lib/present.ts'
import { createKey, type NewKey, type Role } from '../../../api/keys.ts'
import { Field } from '../../../components/controls/field.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { accessText } from '../../../text/settings/access.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'

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

/** For how long a key is made; `never` for one that does not expire. */
type Life = keyof typeof accessText.lives

/** Choices of a form. */
const lives = keysOf(accessText.lives).map((id) => ({ id, label: accessText.lives[id] }))

const days = { week: 7, month: 30, quarter: 90, year: 365 } as const
const dayMs = 86_400_000

/** When a key that is made now expires (ISO 8601); null: never. */
const expiryOf = (life: Life, nowMs: number = Date.now()): string | null =>
  life === 'never' ? null : new Date(nowMs + days[life] * dayMs).toISOString()
