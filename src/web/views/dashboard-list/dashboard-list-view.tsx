import { LayoutGrid, Plus } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { FormDialog } from '../../components/overlays/form-dialog.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { boardLimits } from '../../dashboard/cards/board.ts'
import { reloadBoards, type SavedDashboard, saveBoard, savedDashboards } from '../../dashboard/saved-dashboards.ts'
import { compareTimes } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { flag, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { boardText } from '../../text/board.ts'
import css from './dashboard-list.module.css'
import { DashboardRow, OverviewRow } from './dashboard-row.tsx'

const NewBoardDialog = lazyPart(() => import('../../dashboard/edit/new-board-dialog.tsx'), { loading: () => null })

const url = urlState({ find: text(), new: flag() })
const words = boardText.list

/** The dashboards of a project: to open, make, rename, copy and delete them. */
export default function DashboardListView() {
  const projectId = useProject()
  const { data, error, refetch } = useQuery(savedDashboards(projectId))
  const { find, new: isMaking } = url.values.value
  const [renamed, setRenamed] = useState<SavedDashboard>()
  const field = useRef<HTMLInputElement>(null)
  const all = (data ?? []).toSorted((a, b) => compareTimes(b.version.created_at, a.version.created_at))
  const shown = all.filter(({ label, id }) => `${label} ${id}`.toLowerCase().includes(find.toLowerCase()))
  const make = () => canWrite.value && url.commit({ new: true })
  useKeys([
    ...(canWrite.value ? [{ keys: 'n', does: words.keys.make, run: make }] : []),
    { keys: '/', does: words.keys.find, run: () => field.current?.focus() },
  ])
  const makeButton = canWrite.value && (
    <Button kind="primary" icon={Plus} hint="N" onClick={make}>
      {boardText.new}
    </Button>
  )
  return (
    <Page
      name={boardText.all}
      title={words.title}
      back={{ href: viewPath(projectId, 'dashboards'), label: words.overview }}
      class={css.body}
      actions={data && data.length > 0 && makeButton}
      foot={{
        facts: data && <span>{words.facts(shown.length, all.length)}</span>,
        keys: [['/', words.keys.findShort], ...(canWrite.value ? [['N', words.keys.make.toLowerCase()] as const] : [])],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 70px 1fr 96px" rows={10} height={40} />
      ) : (
        <>
          {all.length > 0 && (
            <div class={css.tools}>
              <SearchField
                label={words.find}
                value={find}
                onType={(next) => url.replace({ find: next })}
                hint="/"
                inputRef={field}
                class={css.find}
              />
            </div>
          )}
          <ul class={css.rows} aria-label={words.title}>
            {find === '' && <OverviewRow projectId={projectId} />}
            {shown.map((dashboard) => (
              <DashboardRow
                key={dashboard.id}
                projectId={projectId}
                dashboard={dashboard}
                onRename={() => setRenamed(dashboard)}
              />
            ))}
          </ul>
          {all.length === 0 && (
            <EmptyState icon={LayoutGrid} title={words.none} action={makeButton}>
              {words.noneReason}
            </EmptyState>
          )}
          {all.length > 0 && shown.length === 0 && (
            <EmptyState
              icon={LayoutGrid}
              title={words.noneFound(find)}
              action={<Button onClick={() => url.commit({ find: '' })}>{words.clear}</Button>}
            />
          )}
        </>
      )}
      {isMaking && canWrite.value && (
        <NewBoardDialog
          projectId={projectId}
          op=""
          range={{ kind: 'last', ms: usualRangeMs }}
          onClose={() => url.commit({ new: false })}
        />
      )}
      {renamed && <RenameDialog projectId={projectId} dashboard={renamed} onClose={() => setRenamed(undefined)} />}
    </Page>
  )
}

/** A week. */
const usualRangeMs = 604_800_000

interface RenameDialogProps {
  readonly projectId: string
  readonly dashboard: SavedDashboard
  readonly onClose: () => void
}

/** Stores a version with another name. */
function RenameDialog({ projectId, dashboard, onClose }: RenameDialogProps) {
  const [label, setLabel] = useState(dashboard.label)
  const rename = async (): Promise<void> => {
    const { board, id, digest } = dashboard
    if (board === undefined) return
    try {
      await saveBoard(projectId, id, { ...board, label: label.trim() }, digest)
      await reloadBoards(projectId)
      showToast({ kind: 'done', text: boardText.list.renamed(label.trim()) })
      onClose()
    } catch (error) {
      if (error instanceof Problem && error.type === 'VersionConflict') await reloadBoards(projectId)
      throw error
    }
  }
  return (
    <FormDialog
      title={boardText.list.renameTitle(dashboard.label)}
      verb={boardText.rename}
      isReady={label.trim() !== ''}
      submit={rename}
      onClose={onClose}
    >
      <Field
        label={boardText.list.name}
        value={label}
        maxLength={boardLimits.titleCharsMax}
        autofocus
        dir="auto"
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
    </FormDialog>
  )
}
