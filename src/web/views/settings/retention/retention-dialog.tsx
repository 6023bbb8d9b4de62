import { useState } from 'preact/hooks'
import { previewRetention, setRetention } from '../../../api/settings.ts'
import { Field } from '../../../components/controls/field.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatDayMinute } from '../../../format/time.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { settled } from '../../../state/settled.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { retentionText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'

const typingMs = 300

/** Asks for how many days a project keeps its calls, and counts what that would delete. */
export function RetentionDialog({ projectId, days, onClose, onSaved }: RetentionDialogProps) {
  const [typed, setTyped] = useState(days === null ? '' : String(days))
  const isReady = /^\s*\d*\s*$/.test(typed) && Number(typed || 1) >= 1
  const wanted = isReady && typed.trim() !== '' ? Number(typed) : undefined
  const { data, error } = useQuery({
    queryKey: ['retention preview', projectId, wanted],
    queryFn: async ({ signal }) => {
      await settled(typingMs, signal)
      return await previewRetention(projectId, wanted ?? 0, signal)
    },
    enabled: wanted !== undefined,
  })
  const isDeleting = wanted !== undefined && data !== undefined && data.calls.expired > 0
  const save = async (): Promise<void> => {
    await setRetention(projectId, wanted ?? null)
    onSaved()
  }
  return (
    <SettingsForm
      title={settingsText.sections.retention}
      verb={isDeleting ? retentionText.saveAndDelete(formatCount(data.calls.expired)) : retentionText.save}
      isDangerous={isDeleting}
      isReady={isReady}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={retentionText.days}
            hint={retentionText.daysHint}
            autofocus
            inputMode="numeric"
            value={typed}
            error={problem ?? (isReady ? undefined : retentionText.wrong)}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <p class={css.preview} role="status">
            {wanted === undefined
              ? retentionText.deletesNothing
              : error
                ? error.message
                : data === undefined
                  ? retentionText.counting
                  : retentionText.deletes({
                      before: formatDayMinute(data.before),
                      calls: formatCount(data.calls.expired),
                      ofCalls: formatCount(data.calls.all),
                      others: formatCount(data.log_records.expired + data.metric_points.expired),
                    })}
          </p>
        </>
      )}
    </SettingsForm>
  )
}

interface RetentionDialogProps {
  readonly projectId: string
  /** Null: for ever. */
  readonly days: number | null
  readonly onClose: () => void
  readonly onSaved: () => unknown
}
