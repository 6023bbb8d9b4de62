import { Upload } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { type DatasetFamily, datasetsQuery } from '../../dataset/datasets.ts'
import css from '../../dataset-import/import.module.css'
import { ImportFaults } from '../../dataset-import/import-faults.tsx'
import { ReadingOptions } from '../../dataset-import/import-options.tsx'
import { ImportPreview } from '../../dataset-import/import-preview.tsx'
import { useImport } from '../../dataset-import/use-import.ts'
import { Page } from '../../page/page.tsx'
import { datasetPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { datasetText } from '../../text/dataset.ts'
import { importText } from '../../text/dataset-import.ts'

const url = urlState({ into: text() })

/** Imports a file into a dataset: nothing is written before it was seen how the file is read. */
export default function DatasetImportView() {
  const projectId = useProject()
  const { into } = url.values.value
  const families = useQuery(datasetsQuery(projectId))
  const back = {
    href: into === '' ? viewPath(projectId, 'datasets') : datasetPath(projectId, into),
    label: into === '' ? importText.back : into,
  }
  if (canWrite.value && families.data !== undefined)
    return <Importing key={into} projectId={projectId} into={into} families={families.data} back={back} />
  return (
    <Page name={importText.titleNew} title={importText.titleNew} back={back}>
      {!canWrite.value ? (
        <EmptyState
          icon={Upload}
          title={importText.readOnly}
          action={<a href={viewPath(projectId, 'datasets')}>{importText.openList}</a>}
        />
      ) : families.error ? (
        <ErrorState error={families.error} retry={() => void families.refetch()} />
      ) : (
        <LoadingRows columns="62px 1fr 1fr 1fr" rows={8} height={28} what={datasetText.readingList} />
      )}
    </Page>
  )
}

interface ImportingProps {
  readonly projectId: string
  readonly into: string
  readonly families: readonly DatasetFamily[]
  readonly back: { readonly href: string; readonly label: string }
}

function Importing({ projectId, into, families, back }: ImportingProps) {
  const family = families.find(({ name }) => name === into)
  const state = useImport(projectId, into)
  const { chosen, busy, faults, problem, kept, corrections, isUnread } = state
  const [where, setWhere] = useState(kept?.place.where ?? (family === undefined ? 'new' : 'append'))
  const [typed, setTyped] = useState(kept?.place.name)
  const [skipsEqual, setSkipsEqual] = useState(kept?.place.skipsEqual ?? false)
  const [leavesOut, setLeavesOut] = useState(false)
  useEffect(() => state.keep({ where, name: typed, skipsEqual }))
  useEffect(() => setLeavesOut(false), [faults])
  const leaveOut = leavesOut && !isUnread ? (faults?.faulty_lines ?? 0) : 0
  const isNew = where === 'new' || family === undefined
  const fileName = chosen?.file.name ?? kept?.fileName ?? ''
  const newName = typed ?? (family === undefined && into !== '' ? into : nameOf(fileName))
  const name = isNew ? newName : family.name
  const nameFault = !isNew
    ? undefined
    : !/^[\p{L}\p{N}_.-]{1,128}$/u.test(newName)
      ? datasetText.nameBad
      : families.some((each) => each.name === newName)
        ? datasetText.nameTaken(newName)
        : undefined
  const isSettled = faults === undefined || leaveOut > 0 || (isUnread && corrections.length > 0)
  const canImport = chosen !== undefined && isSettled && nameFault === undefined && busy === undefined
  const start = () =>
    void state.start({
      name,
      mode: isNew || where !== 'append' ? 'replace' : 'append',
      skipsEqual,
      latest: isNew ? '' : family.latest.digest,
      leaveOut,
    })
  const asText = (column: string) => {
    const at = chosen?.inspection.columns.findIndex((each) => each.name === column) ?? -1
    if (at < 0 || chosen?.choices[at]?.type === 'text') return undefined
    return () => state.change(at, { type: 'text', isSkipped: false })
  }
  return (
    <Page
      name={importText.titleNew}
      title={family === undefined ? importText.titleNew : importText.title(family.name)}
      back={back}
      class={css.body}
    >
      <div
        class={css.main}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const dropped = event.dataTransfer?.files[0]
          if (dropped !== undefined && busy !== 'importing') state.choose(dropped)
        }}
      >
        <div class={css.file}>
          <label class={css.fileLabel}>
            <span>{importText.file}</span>
            <input
              type="file"
              accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet"
              disabled={busy === 'importing'}
              onChange={({ currentTarget: { files } }) => files?.[0] && state.choose(files[0])}
            />
          </label>
          <span class={css.note} role="status">
            {busy === 'reading'
              ? importText.reading
              : chosen === undefined
                ? importText.formats
                : importText.readAs(chosen.inspection)}
          </span>
        </div>
        {busy === 'importing' && (
          <progress class={css.bar} aria-label={importText.sending(percent(state.sent))} value={state.sent} />
        )}
        {problem !== undefined && (
          <p class={css.problem} role="alert">
            {problem} {importText.nothingWritten}
          </p>
        )}
        {kept !== undefined && (
          <Banner tone="info" action={<Button onClick={state.forget}>{importText.forget}</Button>}>
            {importText.again(kept.fileName)}
          </Banner>
        )}
        {chosen === undefined && busy === undefined && problem === undefined && faults === undefined && (
          <EmptyState icon={Upload} title={importText.drop}>
            {importText.dropReason}
          </EmptyState>
        )}
        {chosen !== undefined && (
          <ImportPreview inspection={chosen.inspection} choices={chosen.choices} onChange={state.change} />
        )}
        {faults !== undefined && (
          <ImportFaults
            faults={faults.faults}
            fault_count={faults.fault_count}
            faulty_lines={faults.faulty_lines}
            asText={asText}
            corrections={corrections}
            isUnread={isUnread}
            onCorrect={state.correct}
            leavesOut={leavesOut}
            onLeaveOut={busy === undefined ? setLeavesOut : undefined}
          />
        )}
        {chosen?.raw !== undefined && (
          <details class={css.raw}>
            <summary>{importText.raw}</summary>
            <pre tabIndex={0}>{chosen.raw}</pre>
          </details>
        )}
      </div>
      <div class={css.side}>
        {chosen !== undefined && (
          <ReadingOptions
            inspection={chosen.inspection}
            options={chosen.options}
            empty={state.empty}
            onChange={state.readAs}
            onEmpty={state.setEmpty}
          />
        )}
        <section>
          <h2 id="import-where">{importText.where}</h2>
          {into !== '' && family === undefined && <p class={css.note}>{importText.noSuch(into)}</p>}
          <div class={css.choices} role="radiogroup" aria-labelledby="import-where">
            {[
              ...(family === undefined
                ? []
                : [
                    {
                      id: 'append' as const,
                      label: importText.intoAppend(family.name, family.versions - 1, family.rowCount),
                    },
                    { id: 'replace' as const, label: importText.intoReplace(family.name) },
                  ]),
              { id: 'new' as const, label: importText.intoNew },
            ].map(({ id, label }) => (
              <label key={id}>
                <input
                  type="radio"
                  name="where"
                  checked={isNew ? id === 'new' : id === where}
                  onChange={() => setWhere(id)}
                />
                {label}
              </label>
            ))}
          </div>
          {isNew && (
            <Field
              label={importText.name}
              value={newName}
              error={newName === '' ? undefined : nameFault}
              autocomplete="off"
              onInput={(event) => setTyped(event.currentTarget.value.trim())}
            />
          )}
          <Checkbox checked={skipsEqual} onChange={setSkipsEqual}>
            {importText.skipEqual}
          </Checkbox>
        </section>
      </div>
      <div class={css.foot}>
        <p class={css.note}>
          {busy !== 'importing'
            ? importText.beforeImport
            : state.sent < 1
              ? importText.sending(percent(state.sent))
              : importText.storing}
        </p>
        {busy === 'importing' && <Button onClick={state.cancel}>{importText.stop}</Button>}
        <Button kind="primary" busy={busy === 'importing'} disabled={!canImport} onClick={start}>
          {leaveOut > 0
            ? importText.verbWithout(leaveOut)
            : importText.verb(chosen?.inspection.is_whole ? chosen.inspection.rows_read : undefined)}
        </Button>
      </div>
    </Page>
  )
}

const percent = (share: number): number => Math.round(share * 100)

const nameOf = (fileName: string): string =>
  fileName
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .slice(0, 128)
