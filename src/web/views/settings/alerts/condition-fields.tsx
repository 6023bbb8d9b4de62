import { keysOf } from '../../../../lib/present.ts'
import type { Condition } from '../../../api/alerts.ts'
import { Field } from '../../../components/controls/field.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { alertsText } from '../../../text/settings/alerts.ts'
import css from '../settings.module.css'

/** A condition while it is being typed. */
export interface TypedCondition {
  readonly metric: Condition['metric']
  readonly comparison: Condition['comparison']
  readonly threshold: string
  readonly window: string
  readonly scorer: string
}

/** A condition as a form shows it; without one, a usual one. */
export const typedCondition = (condition: Condition | null | undefined): TypedCondition => ({
  metric: condition?.metric ?? 'error_rate',
  comparison: condition?.comparison ?? 'above',
  threshold: String(condition?.threshold ?? 0.05),
  window: String(condition?.window_seconds ?? 300),
  scorer: condition?.scorer ?? '',
})

/** Whether a condition is complete. */
export const isComplete = ({ metric, threshold, scorer }: TypedCondition): boolean =>
  isNumber(threshold) && (metric !== 'score_avg' || scorer.trim() !== '')

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** The condition as it is sent; members without a field stay as they were. */
export const sentCondition = (typed: TypedCondition, before: Condition | null | undefined) => ({
  ...before,
  metric: typed.metric,
  comparison: typed.comparison,
  threshold: Number(typed.threshold),
  window_seconds: Number(typed.window),
  scorer: typed.metric === 'score_avg' ? typed.scorer.trim() : null,
})

const metrics = keysOf(alertsText.metrics).map((id) => ({ id, label: alertsText.metrics[id] }))
const comparisons = keysOf(alertsText.comparisons).map((id) => ({ id, label: alertsText.comparisons[id] }))
const windows: readonly { readonly id: string; readonly label: string }[] = Object.entries(alertsText.windows).map(
  ([id, label]) => ({ id, label }),
)

/** Fields of a condition: metric, threshold and window. */
export function ConditionFields({ value, onChange }: ConditionFieldsProps) {
  const set = (change: Partial<TypedCondition>) => onChange({ ...value, ...change })
  const isListed = windows.some(({ id }) => id === value.window)
  return (
    <>
      <div class={css.pair}>
        <Select
          label={alertsText.metric}
          options={metrics}
          value={value.metric}
          onChange={(metric) => set({ metric })}
        />
        <Select
          label={alertsText.comparison}
          options={comparisons}
          value={value.comparison}
          onChange={(comparison) => set({ comparison })}
        />
        <Field
          label={alertsText.threshold}
          inputMode="decimal"
          value={value.threshold}
          error={isNumber(value.threshold) ? undefined : alertsText.wrongNumber}
          onInput={(event) => set({ threshold: event.currentTarget.value })}
        />
        <Select
          label={alertsText.window}
          options={isListed ? windows : [...windows, { id: value.window, label: `${value.window} s` }]}
          value={value.window}
          onChange={(window) => set({ window })}
        />
      </div>
      {value.metric === 'score_avg' && (
        <Field
          label={alertsText.scorer}
          value={value.scorer}
          onInput={(event) => set({ scorer: event.currentTarget.value })}
        />
      )}
      <p class={css.hint}>{alertsText.thresholdHint}</p>
    </>
  )
}

interface ConditionFieldsProps {
  readonly value: TypedCondition
  readonly onChange: (value: TypedCondition) => void
}
