import { useState } from 'preact/hooks'
import { createAlert, type RuleCondition, type RuleMetric } from '../../api/rules.ts'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { rulesText } from '../../text/rules.ts'
import { FormDialog } from './form-dialog.tsx'
import css from './settings.module.css'

/** The mean of a score also needs the name of a scorer: the API has it. */
const metrics = Object.keys(rulesText.metrics).filter((id) => id !== 'score_avg') as RuleMetric[]
const windows = Object.entries(rulesText.windows).map(([id, label]) => ({ id, label }))

/** Asks for a threshold and for the webhook to call when it is crossed. */
export function NewAlertDialog({ projectId, onClose, onMade }: NewAlertDialogProps) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [metric, setMetric] = useState<RuleMetric>('error_rate')
  const [comparison, setComparison] = useState<RuleCondition['comparison']>('above')
  const [threshold, setThreshold] = useState('0.05')
  const [window, setWindow] = useState('300')
  const isNumber = threshold.trim() !== '' && Number.isFinite(Number(threshold))
  const save = async (): Promise<void> => {
    const condition = { metric, comparison, threshold: Number(threshold), window_seconds: Number(window) }
    onMade(await createAlert(projectId, { name: name.trim(), url: url.trim(), condition }))
  }
  return (
    <FormDialog
      title={rulesText.add}
      action={rulesText.create}
      isReady={name.trim() !== '' && URL.canParse(url.trim()) && isNumber}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={rulesText.name}
            placeholder="Too many errors"
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <div class={css.pair}>
            <Select
              label={rulesText.metric}
              options={metrics.map((id) => ({ id, label: rulesText.metrics[id] }))}
              value={metric}
              onChange={setMetric}
            />
            <Select
              label={rulesText.comparison}
              options={(['above', 'below'] as const).map((id) => ({ id, label: rulesText.comparisons[id] }))}
              value={comparison}
              onChange={setComparison}
            />
            <Field
              label={rulesText.threshold}
              value={threshold}
              error={isNumber ? undefined : rulesText.wrongNumber}
              onInput={(event) => setThreshold(event.currentTarget.value)}
            />
            <Select label={rulesText.window} options={windows} value={window} onChange={setWindow} />
          </div>
          <p class={css.hint}>{rulesText.thresholdHint}</p>
          <Field
            label={rulesText.url}
            placeholder="https://example.com/hook"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  )
}

interface NewAlertDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  /** @param secret what requests are signed with */
  readonly onMade: (secret: string | null) => void
}
