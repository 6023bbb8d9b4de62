import type { Fault } from '../../domains/datasets/index.ts'
import { Button } from '../components/controls/button.tsx'
import { importText } from '../text/dataset-import.ts'
import css from './import.module.css'
import type { Refusal } from './import-file.ts'

interface ImportFaultsProps extends Refusal {
  /** Reads a column as text; undefined for a column that is read so already. */
  readonly asText: (column: string) => (() => void) | undefined
}

/** What is wrong with a file, by line, and what settles it. */
export function ImportFaults({ faults, fault_count, asText }: ImportFaultsProps) {
  const columns = [...new Set(faults.flatMap(({ column }) => column ?? []))]
  return (
    <section class={css.faults} role="alert">
      <strong>{importText.faults(fault_count)}</strong>{' '}
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
          <li key={index} dir="auto">
            {faultWords(fault)}
          </li>
        ))}
      </ol>
      {fault_count > faults.length && <p>{importText.faultsMore(fault_count - faults.length)}</p>}
    </section>
  )
}

const faultWords = ({ line, column, value, reason }: Fault): string =>
  [
    line === 0 ? importText.wholeFile : importText.place(line, column),
    value === null ? reason : `“${value}”: ${reason}`,
  ].join(': ')
