import { Checkbox } from '../components/controls/checkbox.tsx'
import { Field } from '../components/controls/field.tsx'
import { TextArea } from '../components/controls/text-area.tsx'
import { scorerText } from '../text/evaluation/scorer.ts'
import type { ScorerFault } from './faults.ts'
import { builtinFields, type FieldName, type Scorer, switches } from './scorer.ts'
import css from './scorer-editor.module.css'

interface BuiltinFieldsProps {
  readonly scorer: Scorer
  readonly faults: readonly ScorerFault[]
  readonly isReadOnly: boolean
  readonly onChange: (scorer: Scorer) => void
}

const hints: Readonly<Partial<Record<FieldName, string>>> = scorerText.hints

/** The fields of a scorer that needs no model. */
export function BuiltinFields({ scorer, faults, isReadOnly, onChange }: BuiltinFieldsProps) {
  const { className, fields } = scorer
  const set = (name: FieldName, text: string) => onChange({ ...scorer, fields: { ...fields, [name]: text } })
  return (
    <>
      {(builtinFields[className] ?? []).map((name) => {
        const fault = faults.find(({ part }) => part === name)
        const error = fault && `${fault.text}.`
        const common = { label: scorerText.fields[name], value: fields[name] ?? '', readOnly: isReadOnly, error }
        return (
          <div key={name} data-part={name} class={name === 'json_schema' ? css.wide : css.field}>
            {switches.has(name) ? (
              <Checkbox
                checked={fields[name] === 'true'}
                disabled={isReadOnly}
                onChange={(isOn) => set(name, isOn ? 'true' : '')}
              >
                {scorerText.fields[name]}
              </Checkbox>
            ) : name === 'json_schema' ? (
              <TextArea
                {...common}
                rows={Math.min(28, Math.max(12, (fields[name] ?? '').split('\n').length + 1))}
                onInput={(event) => set(name, event.currentTarget.value)}
              />
            ) : (
              <Field
                {...common}
                mono={name === 'pattern'}
                hint={hints[name]}
                autocomplete="off"
                onInput={(event) => set(name, event.currentTarget.value)}
              />
            )}
          </div>
        )
      })}
    </>
  )
}
