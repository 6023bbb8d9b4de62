import { useRef, useState } from 'preact/hooks'
import type { ColumnType, Fault, InspectedColumn, Inspection } from '../../domains/datasets/index.ts'
import { Problem } from '../api/client.ts'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { Field } from '../components/controls/field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Dialog } from '../components/overlays/dialog.tsx'
import { navigate } from '../state/location.ts'
import { datasetPath } from '../state/paths.ts'
import { queries } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { datasetText } from '../text/dataset.ts'
import css from './import-dialog.module.css'
import { importFile, importTypes, inspectFile, type Refusal } from './import-file.ts'
import { importText } from './import-text.ts'

interface ImportDialogProps {
  readonly projectId: string
  /** The dataset that gets a version; undefined for a new one. */
  readonly into: { readonly name: string; readonly latest: { readonly digest: string } } | undefined
  /** Names that a new dataset cannot have. */
  readonly taken: readonly string[]
  readonly onClose: () => void
}

/** What is chosen for a column. */
interface Choice {
  readonly type: ColumnType
  readonly isSkipped: boolean
}

/** A file and how it is read. */
interface Chosen {
  readonly file: File
  readonly inspection: Inspection
  readonly choices: readonly Choice[]
}

const nameOf = (file: File): string =>
  file.name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .slice(0, 128)

/** Imports a file: its columns and first rows are shown before anything is stored. */
export default function ImportDialog({ projectId, into, taken, onClose }: ImportDialogProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const [busy, setBusy] = useState<'reading' | 'importing'>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [problem, setProblem] = useState<string>()
  const [typedName, setTypedName] = useState('')
  const [mode, setMode] = useState<'replace' | 'append'>('append')
  const [skipsEqual, setSkipsEqual] = useState(false)
  const abort = useRef(new AbortController())
  const name = into?.name ?? typedName
  const nameFault =
    into !== undefined || chosen === undefined
      ? undefined
      : !/^[\p{L}\p{N}_.-]{1,128}$/u.test(typedName)
        ? datasetText.nameBad
        : taken.includes(typedName)
          ? datasetText.nameTaken(typedName)
          : undefined
  const faults: Refusal | undefined = refusal ?? (chosen?.inspection.fault_count ? chosen.inspection : undefined)
  const close = () => {
    abort.current.abort()
    onClose()
  }
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy('reading')
    setChosen(undefined)
    setRefusal(undefined)
    setProblem(undefined)
    try {
      const inspection = await inspectFile(projectId, file)
      setChosen({ file, inspection, choices: inspection.columns.map(({ type }) => ({ type, isSkipped: false })) })
      setTypedName(nameOf(file))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(undefined)
  }
  const change = (at: number, changes: Partial<Choice>) => {
    setRefusal(undefined)
    setChosen(
      chosen && {
        ...chosen,
        choices: chosen.choices.map((choice, index) => (index === at ? { ...choice, ...changes } : choice)),
      },
    )
  }
  const start = async () => {
    if (chosen === undefined) return
    setBusy('importing')
    setProblem(undefined)
    abort.current = new AbortController()
    const options = {
      name,
      columns: chosen.inspection.columns.map(({ source }, at) => {
        const choice = chosen.choices[at]
        return choice === undefined || choice.isSkipped ? { source, skip: true } : { source, type: choice.type }
      }),
      mode: into === undefined ? ('replace' as const) : mode,
      equal_rows: skipsEqual ? ('skip' as const) : ('keep' as const),
      expected_latest_digest: into?.latest.digest ?? '',
    }
    try {
      const answer = await importFile(projectId, chosen.file, options, abort.current.signal)
      if ('faults' in answer) setRefusal(answer)
      else {
        await queries.invalidateQueries({ queryKey: ['objects', projectId] })
        showToast({ kind: 'done', text: importText.done(answer.added, name, answer.version_index, answer.skipped) })
        onClose()
        navigate(datasetPath(projectId, name))
        return
      }
    } catch (error) {
      if (!abort.current.signal.aborted) {
        const isLate = error instanceof Problem && error.type === 'VersionConflict'
        setProblem(isLate ? importText.conflict : error instanceof Error ? error.message : String(error))
      }
    }
    setBusy(undefined)
  }
  const canImport = chosen !== undefined && faults === undefined && nameFault === undefined && busy === undefined
  return (
    <Dialog
      open
      onClose={close}
      title={into === undefined ? importText.titleNew : importText.title(into.name)}
      class={css.dialog}
      foot={
        <>
          <Button hint="esc" onClick={close}>
            {importText.cancel}
          </Button>
          <Button kind="primary" busy={busy === 'importing'} disabled={!canImport} onClick={() => void start()}>
            {importText.verb(chosen?.inspection.is_whole ? chosen.inspection.rows_read : undefined)}
          </Button>
        </>
      }
    >
      <label class={css.file}>
        <span class={css.fileLabel}>{importText.file}</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet"
          disabled={busy !== undefined}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </label>
      <p class={css.note} role="status">
        {busy === 'reading'
          ? importText.reading
          : busy === 'importing'
            ? importText.importing
            : chosen === undefined
              ? importText.formats
              : importText.readAs(chosen.inspection)}
      </p>
      {problem !== undefined && (
        <p class={css.problem} role="alert">
          {problem} {importText.nothingWritten}
        </p>
      )}
      {chosen !== undefined && <Preview chosen={chosen} onChange={change} />}
      {faults !== undefined && <Faults {...faults} />}
      {chosen !== undefined && into === undefined && (
        <Field
          label={importText.name}
          value={typedName}
          error={nameFault}
          autocomplete="off"
          onInput={(event) => setTypedName(event.currentTarget.value.trim())}
        />
      )}
      {chosen !== undefined && into !== undefined && (
        <div class={css.where}>
          <Segments
            label={importText.where}
            options={[
              { id: 'append', label: importText.append },
              { id: 'replace', label: importText.replace },
            ]}
            current={mode}
            onSelect={setMode}
          />
          <Checkbox checked={skipsEqual} onChange={setSkipsEqual}>
            {importText.skipEqual}
          </Checkbox>
        </div>
      )}
    </Dialog>
  )
}

interface PreviewProps {
  readonly chosen: Chosen
  readonly onChange: (at: number, changes: Partial<Choice>) => void
}

const Preview = ({ chosen: { inspection, choices }, onChange }: PreviewProps) => (
  <div class={css.box} tabIndex={0} role="region" aria-label={importText.preview}>
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
              <td key={at} dir="auto" class={choices[at]?.isSkipped ? css.out : value === null ? css.empty : undefined}>
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
    <th scope="col" class={classNames(isSkipped && css.out)}>
      <span dir="auto">{name}</span>
      <select
        aria-label={importText.typeOf(name)}
        data-tip={why}
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
    </th>
  )
}

const Faults = ({ faults, fault_count }: Refusal) => (
  <div class={css.faults} role="alert">
    <strong>{importText.faults(fault_count)}</strong>
    <ol tabIndex={0}>
      {faults.map((fault, index) => (
        <li key={index} dir="auto">
          {faultWords(fault)}
        </li>
      ))}
    </ol>
    {fault_count > faults.length && <p>{importText.faultsMore(fault_count - faults.length)}</p>}
  </div>
)

const faultWords = ({ line, column, value, reason }: Fault): string =>
  [
    line === 0 ? importText.wholeFile : importText.place(line, column),
    value === null ? reason : `“${value}”: ${reason}`,
  ].join(': ')
