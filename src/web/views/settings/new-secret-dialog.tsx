import { useState } from 'preact/hooks'
import { setSecret } from '../../api/secrets.ts'
import { Field } from '../../components/controls/field.tsx'
import { accessText } from '../../text/access.ts'
import { FormDialog } from './form-dialog.tsx'

/** Asks for a provider's key. The value leaves this page once and is never read back. */
export function NewSecretDialog({ onClose, onMade }: { onClose: () => void; onMade: () => unknown }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [scope, setScope] = useState('*')
  const [hosts, setHosts] = useState('')
  const isReady = name.trim() !== '' && value !== '' && scope.trim() !== ''
  const save = async (): Promise<void> => {
    const list = hosts.split(',').map((host) => host.trim())
    await setSecret({ name: name.trim(), value, scope: scope.trim(), hosts: list.filter(Boolean) })
    onMade()
  }
  return (
    <FormDialog title={accessText.add} action={accessText.set} isReady={isReady} save={save} onClose={onClose}>
      {(problem) => (
        <>
          <Field
            label={accessText.secretName}
            mono
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <Field
            label={accessText.value}
            type="password"
            autocomplete="off"
            mono
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
          <Field
            label={accessText.scope}
            hint={accessText.scopeHint}
            value={scope}
            onInput={(event) => setScope(event.currentTarget.value)}
          />
          <Field
            label={accessText.hosts}
            hint={accessText.hostsHint}
            value={hosts}
            onInput={(event) => setHosts(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  )
}
