import { ChevronLeft, ChevronRight, Play, Square } from 'lucide'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Select } from '../components/controls/select.tsx'
import { TextArea } from '../components/controls/text-area.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { formatCount } from '../format/number.ts'
import { useKeys } from '../state/keys.ts'
import { canWrite } from '../state/session.ts'
import { scorerText } from '../text/evaluation/scorer.ts'
import { playgroundText } from '../text/playground.ts'
import { readShownObjects } from '../versions/shown-objects.ts'
import css from './preview.module.css'
import { PreviewResult } from './preview-result.tsx'
import type { Judge } from './scorer.ts'
import { type Preview, typed } from './use-preview.ts'

interface JudgePreviewProps {
  readonly projectId: string
  readonly judge: Judge
  readonly preview: Preview
  /** Whether what is in the editor can be sent. */
  readonly canRun: boolean
  /** Whether it is a tab of the page. */
  readonly isTab: boolean
}

/** A judge tried on one row: what it is sent, what it answers, and what that costs. */
export function JudgePreview({ projectId, judge, preview, canRun, isTab }: JudgePreviewProps) {
  const { dataset, datasetName, row, columns, source, output, request, isRunning } = preview
  const { families, versions, tables, version, rowCount } = dataset
  const readAgain = () => void readShownObjects(projectId)
  const isReady =
    canRun && canWrite.value && preview.isRead && request.missing.length === 0 && preview.modelError === null
  const run = () => {
    if (isReady && !isRunning) void preview.run()
  }
  useKeys([
    { keys: '$mod+Enter', does: scorerText.keys.run, everywhere: true, run },
    { keys: '[', does: scorerText.previousRow, run: () => preview.step(-1) },
    { keys: ']', does: scorerText.nextRow, run: () => preview.step(1) },
  ])
  return (
    <section class={css.preview} id={isTab ? 'scorer-panel' : undefined} aria-label={scorerText.preview} data-scroll>
      <header class={css.head}>
        <h2>{scorerText.preview}</h2>
        <p class={css.note}>{scorerText.previewLead}</p>
      </header>
      <div class={css.row}>
        <Select
          label={scorerText.dataset}
          hideLabel
          class={css.dataset}
          value={datasetName}
          onOpen={readAgain}
          options={
            families.length === 0
              ? [{ id: '', label: dataset.isReading ? datasetName || '…' : scorerText.noDataset }]
              : families.map(({ name }) => ({ id: name, label: name }))
          }
          onChange={preview.choose}
        />
        {version !== undefined && (
          <Select
            label={playgroundText.datasetVersion}
            hideLabel
            class={css.version}
            value={version.digest}
            onOpen={readAgain}
            options={(versions.length === 0 ? [version] : versions).map(({ digest, version_index: index }) => {
              const count = tables?.get(digest)?.rowCount
              const label = playgroundText.versionOf(index, count === undefined ? undefined : formatCount(count))
              return { id: digest, label }
            })}
            onChange={preview.chooseVersion}
          />
        )}
        {rowCount !== undefined && rowCount > 0 && (
          <span class={css.step}>
            <IconButton
              of={ChevronLeft}
              kind="default"
              label={scorerText.previousRow}
              hint="["
              disabled={row === 0}
              onClick={() => preview.step(-1)}
            />
            <span class={css.at}>{scorerText.row(formatCount(row + 1), formatCount(rowCount))}</span>
            <IconButton
              of={ChevronRight}
              kind="default"
              label={scorerText.nextRow}
              hint="]"
              disabled={row >= rowCount - 1}
              onClick={() => preview.step(1)}
            />
          </span>
        )}
      </div>
      <div class={css.output}>
        <Select
          label={scorerText.outputFrom}
          hideLabel
          class={css.from}
          value={source}
          options={[
            ...columns.map((name) => ({ id: name, label: scorerText.outputColumn(name) })),
            { id: typed, label: scorerText.outputTyped },
          ]}
          onChange={preview.takeFrom}
        />
        <TextArea
          label={scorerText.output}
          rows={3}
          dir="auto"
          placeholder={scorerText.outputHint}
          value={output}
          onInput={(event) => preview.type(event.currentTarget.value)}
        />
      </div>
      {preview.modelError !== null && <ErrorState error={preview.modelError} />}
      <h3 class={css.title}>{scorerText.sends}</h3>
      <ol class={css.messages}>
        {request.messages.map(({ role, content }, at) => (
          <li key={at} class={css.message}>
            <span class={css.role}>{String(role)}</span>
            <div class={css.text} dir="auto" tabIndex={0}>
              {typeof content === 'string' ? content : JSON.stringify(content, null, 2)}
            </div>
          </li>
        ))}
      </ol>
      {(preview.isRead ? request.missing : []).map((name) => (
        <p key={name} class={css.warning} role="alert">
          <code>{judge.format === 'mustache' ? `{{${name}}}` : `{${name}}`}</code>: {scorerText.noValue}
        </p>
      ))}
      <div class={css.buttons}>
        {!canWrite.value ? (
          <p class={css.note}>{scorerText.readPreview}</p>
        ) : isRunning ? (
          <Button icon={Square} onClick={preview.stop}>
            {scorerText.stop}
          </Button>
        ) : (
          <Button icon={Play} hint="⌘↵" disabled={!isReady} onClick={run}>
            {preview.judged === undefined ? scorerText.run : scorerText.runAgain}
          </Button>
        )}
      </div>
      <PreviewResult projectId={projectId} judge={judge} preview={preview} />
    </section>
  )
}
