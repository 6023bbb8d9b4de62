import { useState } from 'preact/hooks'
import { changeSender, createSender, type Sender, type SenderChange } from '../../../api/alerts.ts'
import { Field } from '../../../components/controls/field.tsx'
import { TextArea } from '../../../components/controls/text-area.tsx'
import { readFilter, textOfQuery } from '../../../filter/filter-text.ts'
import { alertsText } from '../../../text/settings/alerts.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { ConditionFields, isComplete, sentCondition, typedCondition } from './condition-fields.tsx'
import { readHeaders } from './headers-text.ts'

/** The form of an alert, or of a rule that forwards calls. */
export function SenderDialog({ projectId, kind, before, onClose, onSaved }: SenderDialogProps) {
  const [name, setName] = useState(before?.name ?? '')
  const [url, setUrl] = useState(before?.action.url ?? '')
  const [typed, setTyped] = useState(() => typedCondition(before?.condition))
  const written = before && textOfQuery(before.query)
  // A query that the filter bar has no words for stays as it is.
  const isForeign = before !== undefined && before.query !== null && written === undefined
  const [filter, setFilter] = useState(written ?? '')
  const [headers, setHeaders] = useState('')
  const read = readFilter(filter)
  const sent = readHeaders(headers)
  const kept = before?.action.header_names ?? []
  const isAlert = kind === 'webhook'
  const isReady =
    name.trim() !== '' &&
    URL.canParse(url.trim()) &&
    sent !== undefined &&
    !read.error &&
    (!isAlert || isComplete(typed))
  const save = async (): Promise<void> => {
    const isHeadersKept = before !== undefined && headers.trim() === ''
    const change: SenderChange = {
      name: name.trim(),
      query: isForeign ? before.query : (read.query ?? null),
      ...(isAlert && { condition: sentCondition(typed, before?.condition) }),
      action: { kind, url: url.trim(), ...(!isHeadersKept && sent && { headers: { ...sent } }) },
    }
    if (before === undefined) onSaved(await createSender(projectId, change))
    else {
      await changeSender(projectId, before.id, change)
      onSaved(null)
    }
  }
  return (
    <SettingsForm
      title={before?.name ?? (isAlert ? alertsText.add : alertsText.addForward)}
      verb={before === undefined ? alertsText.create : alertsText.save}
      isReady={isReady}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={alertsText.name}
            placeholder={isAlert ? 'Too many errors' : 'Company collector'}
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {isAlert && <ConditionFields value={typed} onChange={setTyped} />}
          {!isForeign && (
            <Field
              label={alertsText.calls}
              hint={alertsText.callsHint}
              mono
              value={filter}
              error={read.error && `${alertsText.wrongFilter}: ${read.error.message}`}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          )}
          <Field
            label={isAlert ? alertsText.url : alertsText.forwardUrl}
            placeholder={isAlert ? 'https://example.com/hook' : 'https://otel.example.com/v1/traces'}
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <div>
            <TextArea
              label={alertsText.headers}
              rows={2}
              value={headers}
              error={sent === undefined ? alertsText.headersWrong : undefined}
              onInput={(event) => setHeaders(event.currentTarget.value)}
            />
            <p class={css.hint}>{kept.length > 0 ? alertsText.headersKept(kept.join(', ')) : alertsText.headersHint}</p>
          </div>
        </>
      )}
    </SettingsForm>
  )
}

interface SenderDialogProps {
  readonly projectId: string
  readonly kind: Sender['action']['kind']
  /** The one to change; undefined for a new one. */
  readonly before?: Sender | undefined
  readonly onClose: () => void
  /** @param secret what the requests of a new alert are signed with */
  readonly onSaved: (secret: string | null) => void
}
