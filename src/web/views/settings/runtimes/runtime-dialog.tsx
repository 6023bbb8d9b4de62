import { useState } from 'preact/hooks'
import { putRuntime, type Runtime } from '../../../api/runtimes.ts'
import { Field } from '../../../components/controls/field.tsx'
import { TextArea } from '../../../components/controls/text-area.tsx'
import { runtimesText as words } from '../../../text/settings/runtimes.ts'
import { readHeaders } from '../alerts/headers-text.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'

/** The form of a runtime. What it does not ask for stays as it is. */
export function RuntimeDialog({ projectId, before, taken, onClose, onSaved }: RuntimeDialogProps) {
  const [name, setName] = useState(before?.name ?? '')
  const [address, setAddress] = useState(before?.base_url ?? '')
  const [models, setModels] = useState(() => before?.runtime_ids.map(({ id }) => id).join('\n') ?? '')
  const [secret, setSecret] = useState(before?.api_key_secret ?? '')
  const [headers, setHeaders] = useState(() => headerLines(before?.headers ?? {}))
  const ids = models.split('\n').flatMap((line) => line.trim() || [])
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  const sent = readHeaders(headers)
  const nameProblem =
    before !== undefined || name === ''
      ? undefined
      : /\s|::/.test(name)
        ? words.nameWrong
        : taken.includes(name)
          ? words.nameTaken(name)
          : undefined
  const isAddress = /^https?:\/\/./.test(address.trim()) && URL.canParse(address.trim())
  const save = async (): Promise<void> => {
    const known = new Map(before?.runtime_ids.map((model) => [model.id, model.max_tokens]))
    await putRuntime(projectId, name, {
      base_url: address.trim(),
      api_key_secret: secret.trim() || null,
      headers: { ...sent },
      runtime_ids: ids.map((id) => ({ id, max_tokens: known.get(id) ?? null })),
    })
    onSaved()
  }
  return (
    <SettingsForm
      title={before ? words.changeTitle(before.name) : words.add}
      verb={words.save}
      isReady={name !== '' && nameProblem === undefined && isAddress && twice === undefined && sent !== undefined}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {before === undefined && (
            <Field
              label={words.name}
              hint={words.nameHint}
              placeholder="house"
              autofocus
              value={name}
              error={nameProblem}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
          <Field
            label={words.address}
            hint={words.addressHint}
            placeholder="https://llm.example.com/v1"
            autofocus={before !== undefined}
            value={address}
            error={problem ?? (address === '' || isAddress ? undefined : words.addressWrong)}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          <div>
            <TextArea
              label={words.models}
              rows={3}
              class="mono"
              value={models}
              error={twice === undefined ? undefined : words.modelsTwice(twice)}
              onInput={(event) => setModels(event.currentTarget.value)}
            />
            <p class={css.hint}>{words.modelsHint}</p>
          </div>
          <Field
            label={words.secret}
            hint={words.secretHint}
            placeholder="HOUSE_KEY"
            mono
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
          <div>
            <TextArea
              label={words.headers}
              rows={2}
              value={headers}
              error={sent === undefined ? words.headersWrong : undefined}
              onInput={(event) => setHeaders(event.currentTarget.value)}
            />
            <p class={css.hint}>{words.headersHint}</p>
          </div>
        </>
      )}
    </SettingsForm>
  )
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

interface RuntimeDialogProps {
  readonly projectId: string
  /** The one to change; undefined for a new one. */
  readonly before?: Runtime | undefined
  /** Names that a new one must not have: it would replace them. */
  readonly taken: readonly string[]
  readonly onClose: () => void
  readonly onSaved: () => unknown
}
