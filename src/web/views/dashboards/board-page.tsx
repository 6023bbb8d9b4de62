import { LayoutGrid, Pencil, Plus, Redo2, Undo2 } from 'lucide'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { KeyHint } from '../../components/controls/key-hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { changesBetween, hasRoom, withCard } from '../../dashboard/edit/arrange.ts'
import { BothDialog } from '../../dashboard/edit/both-dialog.tsx'
import { useBoard } from '../../dashboard/edit/use-board.ts'
import type { SavedBoard, SavedDashboard } from '../../dashboard/saved-dashboards.ts'
import { fixedRange, spanOf, type TimeRange } from '../../filter/time-range.ts'
import { TimeRangePicker } from '../../filter/time-range-picker.tsx'
import { formatDuration } from '../../format/duration.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { flag, text } from '../../state/search-text.ts'
import { canWrite, isOperator } from '../../state/session.ts'
import { useSearchToShare } from '../../state/shared-address.ts'
import { offerUndo, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { timeAnchor } from '../../table/time-anchor.ts'
import { wholeSpanQuery } from '../../table/use-histogram.ts'
import { boardText } from '../../text/board.ts'
import { dashboardText } from '../../text/dashboards.ts'
import { Conflict } from '../../versions/conflict.tsx'
import { BoardGrid } from './board-grid.tsx'
import { boardMenu } from './board-menu.ts'
import css from './board-page.module.css'
import { BoardTabs } from './board-tabs.tsx'
import { timeRange } from './dashboards-url.ts'
import { useArranging } from './use-arranging.ts'
import { useDrawn } from './use-drawn.ts'
import { useFocusInView } from './use-focus-in-view.ts'

const CardPanel = lazyPart(() => import('../../dashboard/edit/card-panel.tsx'), { loading: () => null })

/** Times, whether it is being edited, and the card whose panel is open. */
const boardUrl = { t: timeRange, edit: flag(), card: text() }

interface BoardPageProps {
  readonly projectId: string
  readonly dashboards: readonly SavedDashboard[]
  readonly saved: SavedBoard
}

/** A dashboard of cards, to be read and to be edited. */
export function BoardPage({ projectId, dashboards, saved }: BoardPageProps) {
  const url = useMemo(() => urlState(boardUrl), [])
  const { t, edit, card: openCard } = url.values.value
  const isPhone = useIsPhone()
  const isEditing = edit && canWrite.value
  const edited = useBoard(projectId, saved)
  const board = isEditing ? edited.board : saved.board
  const range = t ?? board.range
  const anchor = timeAnchor(projectId)
  const whole = useQuery({ ...wholeSpanQuery(projectId), enabled: range.kind === 'all' }).data
  const chosenSpan = spanOf(range, anchor)
  const span = useMemo(() => chosenSpan ?? whole, [chosenSpan?.from, chosenSpan?.to, whole])
  const grid = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  useFocusInView(scroller)
  const [isComparing, setComparing] = useState(false)
  const nextVersion = saved.version.version_index + 1
  const changes = edited.isChanged ? changesBetween(saved.board, edited.board) : 0
  const drawn = useDrawn(board.cards.length)
  const arranging = useArranging({
    edited,
    chosen: openCard,
    open: (id) => url.replace({ card: id }),
    isPhone,
  })
  const card = isEditing ? board.cards.find(({ id }) => id === openCard) : undefined

  const begin = () => url.commit({ edit: true, t: undefined })
  const end = () => url.commit({ edit: false, card: '' })
  const setRange = (next: TimeRange) => {
    if (isEditing) {
      edited.change({ ...edited.board, range: next })
      url.replace({ t: undefined })
    } else url.commit({ t: next })
  }
  const save = async (overLatest = false): Promise<void> => {
    if (!(await edited.save(overLatest))) return
    end()
    showToast({ kind: 'done', text: boardText.saved(edited.board.label, nextVersion) })
  }
  const discard = () => {
    const restore = edited.discard()
    end()
    if (changes > 0) {
      offerUndo({
        text: boardText.discarded,
        undo: () => {
          restore()
          begin()
        },
      })
    }
  }
  useSearchToShare(() => url.searchWith({ t: fixedRange(range, anchor), edit: false, card: '' }))
  const words = boardText.keys
  useKeys([
    ...(isEditing
      ? [
          { keys: '$mod+z', does: words.undoLong, run: edited.undo },
          { keys: '$mod+Shift+Z', does: words.redoLong, run: edited.redo },
          { keys: '$mod+y', does: words.redoLong, run: edited.redo },
          { keys: '$mod+s', does: words.save, everywhere: true, run: () => void save() },
          { keys: 'a', does: words.add, run: arranging.add },
          { keys: 'Escape', does: words.close, run: () => (card ? url.replace({ card: '' }) : end()) },
        ]
      : canWrite.value
        ? [{ keys: 'e', does: words.edit, run: begin }]
        : []),
  ])
  const addLine = isEditing && (
    <button type="button" class={css.add} disabled={!hasRoom(board)} onClick={arranging.add} data-unpainted>
      <span class={css.addWords}>
        <Icon of={Plus} size={14} />
        {boardText.add} {!isPhone && <KeyHint keys="A" />}
      </span>
      <span class={css.addHint}>
        {hasRoom(board)
          ? isOperator.value
            ? boardText.addHintSql
            : boardText.addHint
          : boardText.full(board.cards.length)}
      </span>
    </button>
  )
  return (
    <Page
      name={board.label}
      title={isEditing || isPhone ? <span dir="auto">{board.label}</span> : dashboardText.title}
      back={isPhone ? { href: viewPath(projectId, 'dashboard-list'), label: boardText.all } : undefined}
      tabs={
        isEditing ? (
          <span class={css.state}>{boardText.editingVersion(saved.version.version_index, changes)}</span>
        ) : isPhone ? undefined : (
          <BoardTabs projectId={projectId} dashboards={dashboards} current={saved.id} op="" range={range} />
        )
      }
      class={css.page}
      actions={
        isEditing ? (
          <>
            <IconButton of={Undo2} label={boardText.undo} hint="⌘Z" disabled={!edited.canUndo} onClick={edited.undo} />
            <IconButton of={Redo2} label={boardText.redo} hint="⇧⌘Z" disabled={!edited.canRedo} onClick={edited.redo} />
            {!isPhone && <TimeRangePicker range={range} span={span} onChange={setRange} />}
            <Button onClick={discard}>{changes > 0 ? boardText.discard : boardText.panel.done}</Button>
            <Button
              kind="primary"
              hint={isPhone ? undefined : '⌘S'}
              busy={edited.busy}
              disabled={!edited.isChanged || edited.isConflict}
              onClick={() => void save()}
            >
              {boardText.save(nextVersion)}
            </Button>
          </>
        ) : (
          <>
            {!isPhone && <span class={css.hint}>{dashboardText.hint}</span>}
            {edited.isChanged && canWrite.value && !isPhone && <span class={css.unsaved}>{boardText.unsaved}</span>}
            <TimeRangePicker range={range} span={span} onChange={setRange} />
            {canWrite.value && (
              <Button icon={Pencil} hint={isPhone ? undefined : 'E'} onClick={begin}>
                {boardText.edit}
              </Button>
            )}
            <MenuButton
              label={boardText.list.menu(board.label)}
              side="end"
              items={boardMenu({ projectId, saved, grid })}
            />
          </>
        )
      }
      foot={{
        facts: (
          <>
            <span>{boardText.cards(board.cards.length)}</span>
            {drawn.withoutData > 0 && <span>{boardText.withoutData(drawn.withoutData)}</span>}
            {drawn.ms !== undefined && <span>{boardText.drawnIn(formatDuration(drawn.ms))}</span>}
          </>
        ),
        keys: isEditing
          ? [
              ['⌥', words.move],
              ['⇧', words.resize],
              ['⌘Z', words.undo],
              ['A', words.addShort],
            ]
          : canWrite.value
            ? [['E', words.editShort]]
            : [],
      }}
    >
      <div class={css.columns}>
        <div ref={scroller} class={css.main} data-scroller>
          {isEditing && edited.isConflict && (
            <Conflict
              latest={saved.version}
              nextIndex={nextVersion}
              busy={edited.busy}
              canSave
              onSave={() => void save(true)}
              onShowBoth={() => setComparing(true)}
            />
          )}
          {span && board.cards.length > 0 && (
            <BoardGrid
              projectId={projectId}
              board={arranging.shown}
              span={span}
              gridRef={grid}
              editingOf={isEditing ? arranging.editingOf : undefined}
              onSettled={drawn.settled}
            />
          )}
          {board.cards.length === 0 && !isEditing && (
            <EmptyState
              icon={LayoutGrid}
              title={boardText.empty}
              action={
                canWrite.value && (
                  <Button kind="primary" icon={Plus} hint="E" onClick={begin}>
                    {boardText.add}
                  </Button>
                )
              }
            >
              {canWrite.value ? boardText.emptyReason : boardText.emptyReasonRead}
            </EmptyState>
          )}
          {addLine}
        </div>
        {card && span && (
          <CardPanel
            key={card.id}
            projectId={projectId}
            card={card}
            span={span}
            onChange={(next, of) =>
              edited.change(
                withCard(edited.board, card.id, () => next),
                of,
              )
            }
            onDuplicate={() => arranging.duplicate(card.id)}
            onRemove={() => arranging.remove(card.id)}
            onClose={() => {
              url.replace({ card: '' })
              arranging.focus(card.id)
            }}
          />
        )}
      </div>
      <div class="sr-only" role="status">
        {arranging.said}
      </div>
      {isComparing && (
        <BothDialog
          saved={saved}
          own={edited.board}
          onClose={() => setComparing(false)}
          onTakeTheirs={() => {
            setComparing(false)
            discard()
          }}
        />
      )}
    </Page>
  )
}
