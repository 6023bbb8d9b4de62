import type { InspectedColumn, Inspection } from '../../domains/datasets/index.ts'
import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import table from '../dataset/preview-table.module.css'
import { importText } from '../text/dataset-import.ts'
import type { Choice } from './choices.ts'
import css from './import.module.css'
import { importTypes } from './import-file.ts'

interface PreviewProps {
  readonly inspection: Inspection
  readonly choices: readonly Choice[]
  readonly onChange: (at: number, changes: Partial<Choice>) => void
}

/** The first rows of a file as they would be read, with the type of each column. */
export const ImportPreview = ({ inspection, choices, onChange }: PreviewProps) => (
  <div class={table.box} tabIndex={0} role="region" aria-label={importText.preview}>
    <table>
      <thead>
        <tr>
          <th scope="col" class={css.line}>
            {importText.line}
          </th>
          {inspection.columns.map((column, at) => (
            <Head key={at} column={column} choice={choices[at]} onChange={(changes) => onChange(at, changes)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {inspection.rows.map(({ line, values }) => (
          <tr key={line}>
            <td class={css.line}>{line.toLocaleString('en')}</td>
            {values.map((value, at) => (
              <td
                key={at}
                dir="auto"
                class={choices[at]?.isSkipped ? table.out : value === null ? table.empty : undefined}
              >
                {value ?? importText.empty}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface HeadProps {
  readonly column: InspectedColumn
  readonly choice: Choice | undefined
  readonly onChange: (changes: Partial<Choice>) => void
}

function Head({ column: { name, type, why }, choice, onChange }: HeadProps) {
  const types = importTypes.includes(type) ? importTypes : [type, ...importTypes]
  const isSkipped = choice?.isSkipped ?? false
  return (
    <th scope="col" class={classNames(css.head, isSkipped && table.out)}>
      <span dir="auto">{name}</span>
      <select
        class={inputClass}
        aria-label={importText.typeOf(name)}
        value={isSkipped ? '' : choice?.type}
        onChange={({ currentTarget: { value } }) => {
          const chosen = types.find((each) => each === value)
          onChange(chosen === undefined ? { isSkipped: true } : { isSkipped: false, type: chosen })
        }}
      >
        {types.map((each) => (
          <option key={each} value={each}>
            {importText.types[each]}
          </option>
        ))}
        <option value="">{importText.leaveOut}</option>
      </select>
      <small data-tip={why}>{why}</small>
    </th>
  )
}
