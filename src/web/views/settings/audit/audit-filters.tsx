import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../../api/audit.ts'
import { keysQuery, peopleQuery } from '../../../api/keys.ts'
import { Checkbox } from '../../../components/controls/checkbox.tsx'
import { Field } from '../../../components/controls/field.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { spanOf } from '../../../filter/time-range.ts'
import { TimeRangePicker } from '../../../filter/time-range-picker.tsx'
import { useQuery } from '../../../state/query-signal.ts'
import type { Values } from '../../../state/search-text.ts'
import { auditText } from '../../../text/settings/settings-pages.ts'
import css from './audit.module.css'
import { auditChoices, type auditUrl } from './audit-url.ts'

const choices = auditChoices.map((id) => ({ id, label: auditText.kinds[id] }))

/** What the log is filtered by: kind, person, operation, time, failures. */
export function AuditFilters({ values, entries, onChange }: AuditFiltersProps) {
  const [typed, setTyped] = useState(values.op)
  return (
    <div class={css.filters} role="search">
      <Select
        label={auditText.kind}
        hideLabel
        options={choices}
        value={values.show}
        onChange={(show) => onChange({ show })}
      />
      <Select
        label={auditText.who}
        hideLabel
        options={useActors(values.who, entries)}
        value={values.who}
        onChange={(who) => onChange({ who })}
      />
      <Field
        label={auditText.operation}
        hideLabel
        class={css.operation}
        mono
        placeholder={auditText.operation}
        list="audit-operations"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={() => onChange({ op: typed.trim() })}
      />
      <datalist id="audit-operations">
        {[...new Set(entries.map(({ operation }) => operation))].sort().map((operation) => (
          <option key={operation} value={operation} />
        ))}
      </datalist>
      <TimeRangePicker range={values.t} span={spanOf(values.t, Date.now())} onChange={(t) => onChange({ t })} />
      <Checkbox checked={values.failed} onChange={(failed) => onChange({ failed })}>
        {auditText.failedOnly}
      </Checkbox>
    </div>
  )
}

interface AuditFiltersProps {
  readonly values: Values<typeof auditUrl>
  /** What is shown now: the source of suggestions. */
  readonly entries: readonly AuditEntry[]
  readonly onChange: (changes: Partial<Values<typeof auditUrl>>) => void
}

/** Everyone who may have done something: keys, people, and whoever is in the entries. */
function useActors(chosen: string, entries: readonly AuditEntry[]): { id: string; label: string }[] {
  const { data: keys } = useQuery(keysQuery)
  const { data: people } = useQuery(peopleQuery)
  const names = new Map([
    ...entries.map(({ ext_user_id, ext_username }) => [ext_user_id, ext_username] as const),
    ...(keys?.keys ?? []).map(({ id, name }) => [id, `${name} (${id})`] as const),
    ...(people?.people ?? []).map(({ id, name, email }) => [id, email === null ? name : `${name} (${email})`] as const),
  ])
  names.delete('')
  if (chosen !== '' && !names.has(chosen)) names.set(chosen, chosen)
  const listed = [...names].map(([id, label]) => ({ id, label })).sort((a, b) => a.label.localeCompare(b.label))
  return [{ id: '', label: auditText.anyone }, ...listed]
}
