import { Diff, FileSearch, Undo2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import DatasetCompare from '../../dataset/dataset-compare.tsx'
import { DatasetSaveBar, DatasetSide } from '../../dataset/dataset-side.tsx'
import type { Change } from '../../dataset/edits.ts'
import { FileActions } from '../../dataset/file-actions.tsx'
import { formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { datasetPath, objectPath, viewPath } from '../../state/paths.ts'
import { canWrite } from '../../state/session.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { datasetText } from '../../text/dataset.ts'
import { compareUrl } from '../../versions/compare-url.ts'
import { Conflict } from '../../versions/conflict.tsx'
import { isDataset } from '../../versions/objects.ts'
import layout from '../../versions/version-page.module.css'
import { DatasetRows } from './dataset-rows.tsx'
import { EvaluateButton } from './evaluate-button.tsx'
import { datasetUrl, useDataset, useSelection } from './use-dataset.ts'

interface DatasetPageProps {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly version: string | undefined
}

/** A dataset: its rows in a grid, its versions and what is changed, or two versions compared. */
export function DatasetPage({ projectId, name, version: wanted }: DatasetPageProps) {
  const page = useDataset({ projectId, name, wanted })
  const { versions, tables, all, named, table, edit, edits, changes, isOther, isReadOnly, isComparing } = page
  const selection = useSelection(page.rows, table !== undefined)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const isNarrow = useMedia('(max-width: 1080px)')
  const isPhone = useIsPhone()
  const { tab } = datasetUrl.values.value
  const started = all.find(({ digest }) => digest === edit.draft?.startedFrom)
  const isForeign = named !== undefined && !isDataset(named)
  const canCompare = all.length > 1 || changes.length > 0
  const closeCompare = () => compareUrl.commit({ from: '', to: '' })
  const goTo = (change: Change) => {
    if (isNarrow) datasetUrl.commit({ tab: 'rows' })
    const place = page.rows.placeOf(change.id)
    const column = page.columns.findIndex(({ name: each }) => each === (change.fault?.column ?? change.columns[0]))
    if (place === undefined) {
      datasetUrl.commit({ f: '', sort: '', row: change.id < 0 ? 0 : change.id + 1 })
    } else selection.show(place, Math.max(0, column))
  }
  useKeys([
    { keys: '$mod+s', does: datasetText.keys.save, everywhere: true, run: () => void page.saveNow() },
    ...(isComparing
      ? [{ keys: 'Escape', does: datasetText.keys.close, run: closeCompare }]
      : [{ keys: 'c', does: datasetText.keys.compare, run: page.compareNow }]),
  ])
  return (
    <Page
      name={name}
      back={isPhone ? { href: viewPath(projectId, 'datasets'), label: datasetText.title } : undefined}
      title={
        <>
          {!isPhone && (
            <span class={layout.crumb}>
              <a href={viewPath(projectId, 'datasets')}>{datasetText.title}</a> /
            </span>
          )}
          <span class="cut" dir="auto">
            {name}
          </span>
          {!isComparing && named && !isPhone && <Badge tone="outline">{versionWord(page)}</Badge>}
          {!isComparing && changes.length > 0 && !isOther && <Badge tone="warn">{datasetText.notSaved}</Badge>}
          {!canWrite.value && <Badge>{datasetText.readOnly}</Badge>}
        </>
      }
      actions={
        named !== undefined &&
        !isForeign && (
          <>
            {isComparing && (
              <Segments
                label={datasetText.title}
                options={[
                  { id: 'rows', label: datasetText.rowsTab },
                  { id: 'compare', label: datasetText.compare },
                ]}
                current="compare"
                onSelect={(next) => next === 'rows' && closeCompare()}
              />
            )}
            {!isComparing &&
              edit.canUndo &&
              (isPhone ? (
                <IconButton of={Undo2} label={datasetText.undo} onClick={edit.undo} />
              ) : (
                <Button kind="quiet" icon={Undo2} hint="⌘Z" onClick={edit.undo}>
                  {datasetText.undo}
                </Button>
              ))}
            {!isComparing && !isPhone && canWrite.value && (
              <EvaluateButton projectId={projectId} version={named} search={page.rows.search} />
            )}
            {!isComparing && (
              <FileActions
                projectId={projectId}
                name={name}
                version={named}
                latest={changes.length === 0 ? page.latest : undefined}
                onDelete={canWrite.value ? page.removeNow : undefined}
              />
            )}
            {!isComparing && canCompare && (isNarrow || all.length < 2) && (
              <Button kind="quiet" icon={Diff} hint="C" onClick={page.compareNow}>
                {datasetText.compare}
              </Button>
            )}
          </>
        )
      }
      class={layout.body}
      foot={{
        facts: named && !isComparing && table !== undefined && page.rows.search?.isDone !== false && (
          <span>{datasetText.inView(range.first + 1, range.last, page.rows.count)}</span>
        ),
        keys: isComparing
          ? []
          : [
              ...(isReadOnly ? [] : [['↵', datasetText.keys.edit] as const]),
              ['X', datasetText.keys.selectShort],
              ...(isReadOnly ? [] : [['⌘V', datasetText.keys.pasteShort] as const]),
              ['⇧G', datasetText.keys.goToShort],
              ['F', datasetText.keys.findShort],
            ],
      }}
    >
      {versions.error ? (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      ) : tables.error ? (
        <ErrorState error={tables.error} retry={() => void tables.refetch()} />
      ) : versions.data === undefined || tables.data === undefined ? (
        <div class={layout.pane}>
          <LoadingRows columns="36px 62px 2fr 2fr 118px 92px 92px" rows={24} height={30} what={datasetText.reading} />
        </div>
      ) : all.length === 0 ? (
        <Nothing
          title={datasetText.noDataset}
          reason={datasetText.noDatasetReason(name)}
          href={viewPath(projectId, 'datasets')}
          words={datasetText.openList}
        />
      ) : named === undefined ? (
        <div class={layout.columns}>
          <Nothing
            title={datasetText.noVersion(wanted ?? '')}
            reason={datasetText.noVersionReason(name, all.length)}
            href={datasetPath(projectId, name)}
            words={datasetText.openLatest}
          />
          <DatasetSide {...sideProps(page, projectId, started, goTo)} only={isNarrow ? 'versions' : undefined} />
        </div>
      ) : isForeign ? (
        <Nothing
          title={datasetText.notDataset}
          reason={datasetText.notDatasetReason(name)}
          href={objectPath(projectId, name)}
          words={datasetText.openObject}
        />
      ) : isComparing ? (
        <DatasetCompare
          projectId={projectId}
          versions={all}
          tables={tables.data}
          edits={edit.draft?.edits}
          started={started}
        />
      ) : (
        <div class={layout.columns}>
          {isNarrow && (
            <Tabs
              label={name}
              panelId="dataset-panel"
              class={layout.tabs}
              tabs={[
                { id: 'rows', label: datasetText.rowsTab, count: formatCount(page.rows.count) },
                { id: 'versions', label: datasetText.versions, count: all.length },
                ...(changes.length > 0
                  ? [{ id: 'changes' as const, label: datasetText.changesTab, count: changes.length }]
                  : []),
              ]}
              current={tab}
              onSelect={(next) => datasetUrl.commit({ tab: next })}
            />
          )}
          {(!isNarrow || tab === 'rows' || (tab === 'changes' && changes.length === 0)) && (
            <div class={layout.pane} id={isNarrow ? 'dataset-panel' : undefined}>
              {page.isConflict && !isOther && (
                <Conflict
                  latest={page.latest}
                  nextIndex={page.nextIndex}
                  busy={edit.busy}
                  canSave={page.canSave}
                  onSave={() => void page.saveNow(true)}
                />
              )}
              {isOther && (
                <Banner tone="info" action={<a href={datasetPath(projectId, name)}>{datasetText.openDraft}</a>}>
                  {datasetText.otherVersion(named.version_index)}
                </Banner>
              )}
              {table?.rowCount === undefined ? (
                <EmptyState icon={FileSearch} title={datasetText.noTable} />
              ) : (
                <DatasetRows
                  key={table.table}
                  projectId={projectId}
                  name={name}
                  version={named.version_index}
                  page={page}
                  selection={selection}
                  onRange={(first, last) => setRange({ first, last })}
                />
              )}
              {edit.draft !== undefined && !isReadOnly && (
                <DatasetSaveBar
                  edits={edits}
                  changes={changes}
                  fault={page.fault}
                  started={started}
                  nextIndex={page.nextIndex}
                  busy={edit.busy}
                  canSave={page.canSave && !page.isConflict}
                  isKept={edit.isKept}
                  onGo={goTo}
                  onSave={() => void page.saveNow()}
                  onDiscard={page.discardNow}
                />
              )}
            </div>
          )}
          {(!isNarrow || tab !== 'rows') && (!isNarrow || tab !== 'changes' || changes.length > 0) && (
            <DatasetSide
              {...sideProps(page, projectId, started, goTo)}
              only={isNarrow ? (tab === 'changes' ? 'changes' : 'versions') : undefined}
            />
          )}
        </div>
      )}
      {page.dialogs}
    </Page>
  )
}

type DatasetState = ReturnType<typeof useDataset>

const versionWord = ({ named, changes, isOther }: DatasetState): string =>
  changes.length > 0 && !isOther ? datasetText.from(named?.version_index ?? 0) : `v${named?.version_index ?? 0}`

const sideProps = (
  page: DatasetState,
  projectId: string,
  started: DatasetState['named'],
  onGo: (change: Change) => void,
) => ({
  projectId,
  versions: page.all,
  current: page.named,
  uses: page.uses,
  tables: page.tables.data,
  edits: page.edits,
  changes: page.changes,
  nextIndex: page.nextIndex,
  started,
  hrefOf: page.hrefOf,
  menuOf: page.menuOf,
  onCompare: page.all.length > 1 ? page.compareNow : undefined,
  onGo,
})

const Nothing = ({ title, reason, href, words }: NothingProps) => (
  <div class={layout.pane}>
    <EmptyState icon={FileSearch} title={title} action={<a href={href}>{words}</a>}>
      {reason}
    </EmptyState>
  </div>
)

interface NothingProps {
  readonly title: string
  readonly reason: ComponentChildren
  readonly href: string
  readonly words: string
}
