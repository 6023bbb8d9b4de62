import type { Inspection, ReadOptions } from '../../domains/datasets/index.ts'
import { Select } from '../components/controls/select.tsx'
import { importText } from '../text/dataset-import.ts'
import type { EmptyCell } from './choices.ts'

interface ReadingOptionsProps {
  readonly inspection: Inspection
  readonly options: ReadOptions
  readonly empty: EmptyCell
  readonly onChange: (options: ReadOptions) => void
  readonly onEmpty: (empty: EmptyCell) => void
}

const formats = ['csv', 'jsonl', 'parquet'] as const
const delimiters = [',', ';', '\t', '|']
const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
const empties = ['null', 'absent', 'text'] as const

/** How a file is read: what was guessed, and can be corrected. */
export function ReadingOptions({ inspection, options, empty, onChange, onEmpty }: ReadingOptionsProps) {
  const { format, delimiter, encoding, header } = inspection
  const known = delimiter === null || delimiters.includes(delimiter) ? delimiters : [delimiter, ...delimiters]
  return (
    <section>
      <h2>{importText.howRead}</h2>
      <Select
        label={importText.format}
        value={format}
        options={formats.map((id) => ({ id, label: importText.formatNames[id] }))}
        onChange={(next) => onChange({ format: next })}
      />
      {delimiter !== null && (
        <Select
          label={importText.separator}
          value={delimiter}
          options={known.map((id) => ({ id, label: importText.delimiterName(id) }))}
          onChange={(next) => onChange({ ...options, delimiter: next })}
        />
      )}
      {encoding !== null && (
        <Select
          label={importText.encoding}
          value={encodings.find((each) => each === encoding) ?? 'utf-8'}
          options={encodings.map((id) => ({ id, label: id.toUpperCase() }))}
          onChange={(next) => onChange({ ...options, encoding: next })}
        />
      )}
      {header !== null && (
        <Select
          label={importText.firstLine}
          value={header ? 'names' : 'row'}
          options={[
            { id: 'names', label: importText.names },
            { id: 'row', label: importText.aRow },
          ]}
          onChange={(next) => onChange({ ...options, header: next === 'names' })}
        />
      )}
      {format === 'csv' && (
        <Select
          label={importText.emptyCell}
          value={empty}
          options={empties.map((id) => ({ id, label: importText.empties[id] }))}
          onChange={onEmpty}
        />
      )}
    </section>
  )
}
