import { FileSearch, Play, Plus, Square, Table2, Type } from 'lucide'
import { useState } from 'preact/hooks'
import { letterOf } from '../../compare/side-mark.tsx'
import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCost } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { ColumnView } from '../../playground/column-view.tsx'
import { RowsTable } from '../../playground/rows-table.tsx'
import { triedRows } from '../../playground/use-row-runs.ts'
import { tracedResult } from '../../playground/use-source.ts'
import { VariableBar } from '../../playground/variable-bar.tsx'
import { columnsMax } from '../../playground/workspace.ts'
import { useKeys } from '../../state/keys.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { canWrite } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { playgroundText } from '../../text/playground.ts'
import { promptText } from '../../text/prompt.ts'
import { callText } from '../../text/trace/call.ts'
import { readShownObjects } from '../../versions/shown-objects.ts'
import css from './playground-view.module.css'
import { usePlayground } from './use-playground.ts'

const SettingsDialog = lazyPart(() => import('../../playground/settings-dialog.tsx'), { loading: () => null })
const Conflict = lazyPart(async () => ({ default: (await import('../../versions/conflict.tsx')).Conflict }), {
  loading: () => null,
})
const FirstSteps = lazyPart(() => import('../../playground/first-steps.tsx'), { loading: () => null })
const NewPromptDialog = lazyPart(() => import('../prompts/new-prompt-dialog.tsx'), { loading: () => null })

/** Models and prompts beside each other, with the same values. */
export default function PlaygroundView() {
  const projectId = useProject()
  const [settingsOf, setSettingsOf] = useState<number>()
  const page = usePlayground(projectId)
  const { workspace, callId, call, error, names, values, runs, rows, current, save, saving } = page
  const canRun = canWrite.value
  const isPhone = useIsPhone()
  const columns = workspace?.columns ?? []
  const isRunning = runs.running > 0 || rows.isRunning
  useKeys([
    {
      keys: '$mod+Enter',
      does: playgroundText.keys.runAll,
      everywhere: true,
      run: () => canRun && settingsOf === undefined && page.runAll(),
    },
    ...(isRunning ? [{ keys: 'Escape', does: playgroundText.keys.stopAll, run: page.stopAll }] : []),
    { keys: '[', does: playgroundText.previousRow, run: () => page.step(-1) },
    { keys: ']', does: playgroundText.nextRow, run: () => page.step(1) },
    ...columns.map((_, side) => ({
      keys: String(side + 1),
      does: playgroundText.keys.chooseColumn(letterOf(side)),
      run: () => page.goTo(side),
    })),
    { keys: '$mod+s', does: playgroundText.keys.save, everywhere: true, run: () => canRun && !saving.busy && save() },
  ])
  const actions: readonly MenuItem[] = [
    { label: playgroundText.addColumn, icon: Plus, disabled: columns.length >= columnsMax, run: page.addColumn },
    { label: page.saveLabel, icon: Type, run: save },
    ...(page.canRunRows
      ? [
          {
            label: playgroundText.runOnRows(Math.min(triedRows, page.rowsLeft)),
            icon: Table2,
            disabled: rows.isRunning || !page.canRun,
            run: page.runRows,
          },
        ]
      : []),
  ]
  const edited = columns.flatMap(({ isEdited }, side) => (isEdited ? [letterOf(side)] : []))
  const readAgain = () => void readShownObjects(projectId)
  const cost = page.cost
  const set = settingsOf === undefined ? undefined : columns[settingsOf]
  const answerOfA = columns[0] && runs.of(columns[0].key).runs[0]?.text
  return (
    <Page
      name={playgroundText.title}
      title={
        <>
          {playgroundText.title}
          {callId !== '' && call && (
            <span class={css.from}>
              {playgroundText.from}{' '}
              <a class="mono" href={tracePath(projectId, call.traceId, callId)}>
                {callId.slice(0, 8)}
              </a>
            </span>
          )}
          {edited.length > 0 && <Badge tone="warn">{playgroundText.hasEdits(edited.join(', '))}</Badge>}
          {!canRun && <Badge>{playgroundText.readOnly}</Badge>}
        </>
      }
      actions={
        canRun &&
        workspace && (
          <>
            {isPhone ? (
              <MenuButton label={playgroundText.moreActions} items={actions} side="end" />
            ) : (
              <>
                <Button kind="quiet" icon={Plus} disabled={columns.length >= columnsMax} onClick={page.addColumn}>
                  {playgroundText.addColumn}
                </Button>
                <Button icon={Type} hint="⌘S" busy={saving.busy} onClick={save}>
                  {page.saveLabel}
                </Button>
                {page.canRunRows && (
                  <Button icon={Table2} disabled={rows.isRunning || !page.canRun} onClick={page.runRows}>
                    {playgroundText.runOnRows(Math.min(triedRows, page.rowsLeft))}
                  </Button>
                )}
              </>
            )}
            {isRunning ? (
              <Button icon={Square} hint="esc" onClick={page.stopAll}>
                {playgroundText.stopAll}
              </Button>
            ) : (
              <Button kind="primary" icon={Play} hint="⌘↵" disabled={!page.canRun} onClick={page.runAll}>
                {playgroundText.runAll}
              </Button>
            )}
          </>
        )
      }
      class={css.body}
      foot={{
        facts: (
          <>
            {isRunning && <span role="status">{playgroundText.running(runs.running, columns.length)}</span>}
            {cost > 0 && <span>{playgroundText.costSoFar(formatCost(cost))}</span>}
            <span>{playgroundText.kind}</span>
          </>
        ),
        keys: [
          ['⌘↵', playgroundText.keys.runShort],
          ['[ ]', playgroundText.keys.row],
          ['1 – 4', playgroundText.keys.column],
        ],
      }}
    >
      {error !== null && error !== undefined ? (
        <ErrorState error={error} retry={page.retry} />
      ) : page.isMissing ? (
        <EmptyState
          icon={FileSearch}
          title={callId === '' ? promptText.noPrompt : callText.noCall}
          action={<a href={viewPath(projectId, 'playground')}>{playgroundText.title}</a>}
        >
          {callId === '' ? promptText.noPromptReason(page.promptName) : playgroundText.fromCallMissing(callId)}
        </EmptyState>
      ) : workspace === undefined ? (
        <LoadingRows columns="1fr 1fr" rows={8} height={64} what={playgroundText.reading} />
      ) : (
        <>
          {saving.conflict && (
            <Conflict
              latest={saving.conflict.latest}
              nextIndex={saving.conflict.nextIndex}
              busy={saving.busy}
              canSave
              onSave={saving.conflict.saveAnyway}
              onShowBoth={saving.conflict.showBoth}
            />
          )}
          {!canRun && <Banner tone="info">{playgroundText.readOnlyReason}</Banner>}
          <VariableBar
            workspace={workspace}
            rows={page.row}
            names={names}
            values={values}
            onChange={page.change}
            onChoose={readAgain}
          />
          <datalist id="playground-models">
            {page.models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
          <div class={css.columns} tabIndex={-1}>
            {columns.map((column, side) => (
              <ColumnView
                key={column.key}
                projectId={projectId}
                side={side}
                column={column}
                state={runs.of(column.key)}
                isCurrent={columns.length > 1 && side === current}
                canRun={canRun}
                canDuplicate={columns.length < columnsMax}
                canRemove={columns.length > 1}
                known={page.known}
                families={page.prompts}
                answerOfA={side === 0 || answerOfA === '' ? undefined : answerOfA}
                problem={page.problems?.get(column.prompt.model)}
                hint={
                  page.isFresh &&
                  canRun && (
                    <FirstSteps
                      projectId={projectId}
                      prompts={page.arePromptsRead ? page.prompts : undefined}
                      onModel={(model) => page.changeColumn(side, { ...column, prompt: { ...column.prompt, model } })}
                    />
                  )
                }
                costOf={runs.costOf}
                resultOf={(tool) => tracedResult(page.tools, tool)}
                onChange={(next) => page.changeColumn(side, next)}
                onChoose={readAgain}
                onPrompt={(name, digest) => void page.choosePrompt(side, name, digest)}
                onFocus={() => page.focus(side)}
                onRun={(more) => page.runOne(column, more)}
                onStop={() => runs.stop(column.key)}
                onStopWaiting={() => runs.stopWaiting(column.key)}
                onSettings={() => setSettingsOf(side)}
                onDuplicate={() => page.duplicate(side)}
                onRemove={() => page.remove(side)}
              />
            ))}
          </div>
          {rows.rows && (
            <RowsTable
              rows={rows.rows}
              columns={columns.length}
              currentRow={workspace.row}
              costOf={runs.costOf}
              onRow={(row) => page.change({ row, values: {} })}
              onAgain={rows.isRunning ? undefined : page.runRowsAgain}
              onEvaluate={page.evaluate}
              unsaved={page.unsaved.map((column) => letterOf(columns.indexOf(column)))}
              isSaving={saving.busy}
            />
          )}
        </>
      )}
      {set !== undefined && settingsOf !== undefined && (
        <SettingsDialog
          letter={letterOf(settingsOf)}
          prompt={set.prompt}
          onChange={(prompt) => page.changeColumn(settingsOf, { ...set, isEdited: true, prompt })}
          onClose={() => setSettingsOf(undefined)}
        />
      )}
      {saving.naming && (
        <NewPromptDialog
          projectId={projectId}
          names={page.prompts.map(({ name }) => name)}
          onName={saving.setName}
          onClose={() => saving.setName(undefined)}
        />
      )}
    </Page>
  )
}
