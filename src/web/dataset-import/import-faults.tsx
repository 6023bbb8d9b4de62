import type { Correction, Fault } from '../../domains/datasets/index.ts'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { inputClass } from '../components/controls/field.tsx'
import { classNames } from '../components/display/class-names.ts'
import { importText } from '../text/dataset-import.ts'
import css from './import.module.css'
import type { Refusal } from './import-file.ts'

interface ImportFaultsProps extends Refusal {
  /** Reads a column as text; undefined for a column that is read so already. */
  readonly asText: (column: string) => (() => void) | undefined
  readonly corrections: readonly Correction[]
  /** Whether the file has not been read with the corrections yet. */
  readonly isUnread: boolean
  readonly onCorrect: (line: number, column: string, value: string | undefined) => void
  readonly leavesOut: boolean
  /** Undefined where lines cannot be left out. */
  readonly onLeaveOut: ((leavesOut: boolean) => void) | undefined
}

/** What is wrong with a file, by line, and what settles it. */
export function ImportFaults(props: ImportFaultsProps) {
  const { faults, fault_count, faulty_lines, asText, corrections, isUnread, onCorrect, leavesOut, onLeaveOut } = props
  const columns = [...new Set(faults.flatMap(({ column }) => column ?? []))]
  return (
    <section class={css.faults} aria-label={importText.faultsLabel}>
      <strong role="alert">{importText.faults(fault_count)}</strong>{' '}
      {columns.map((column) => {
        const change = asText(column)
        return (
          change && (
            <Button key={column} size="compact" onClick={change}>
              {importText.readAsText(column)}
            </Button>
          )
        )
      })}
      <ol tabIndex={0}>
        {faults.map((fault, index) => (
          <li key={index}>
            <span dir="auto">{faultWords(fault)}</span>
            <CorrectedValue fault={fault} corrections={corrections} onCorrect={onCorrect} />
          </li>
        ))}
      </ol>
      {fault_count > faults.length && <p>{importText.faultsMore(fault_count - faults.length)}</p>}
      {isUnread && corrections.length > 0 ? (
        <p>{importText.correctionsUnread(corrections.length)}</p>
      ) : (
        onLeaveOut &&
        faulty_lines !== null && (
          <Checkbox checked={leavesOut} onChange={onLeaveOut}>
            {importText.leaveOutLines(faulty_lines)}
          </Checkbox>
        )
      )}
    </section>
  )
}

/** A field for another value of a cell, where the fault is one of a cell. */
function CorrectedValue({
  fault: { line, column, value },
  corrections,
  onCorrect,
}: { readonly fault: Fault } & Pick<ImportFaultsProps, 'corrections' | 'onCorrect'>) {
  if (column === null || line === 0) return null
  const corrected = corrections.find((each) => each.line === line && each.column === column)?.value
  return (
    <input
      class={classNames(inputClass, css.correction)}
      dir="auto"
      aria-label={importText.correct(line, column)}
      placeholder={importText.correctHint}
      value={corrected ?? ''}
      onInput={({ currentTarget: { value: typed } }) =>
        onCorrect(line, column, typed === '' || typed === value ? undefined : typed)
      }
    />
  )
}

function faultWords({ line, column, value, reason }: Fault): string {
  // Such a reason names the file.
  if (line === 0) return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  return [importText.place(line, column), value === null ? reason : `“${value}”: ${reason}`].join(': ')
}
