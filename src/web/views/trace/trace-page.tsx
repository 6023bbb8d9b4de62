import { ChartNoAxesGantt } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ErrorBoundary } from 'preact-iso'
import { CallPanel } from '../../call/call-panel.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import { LoadingRows } from '../../parts/loading-rows.tsx'
import { Splitter } from '../../parts/splitter.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath } from '../../state/paths.ts'
import { remember, remembered } from '../../state/preferences.ts'
import { showToast } from '../../state/toasts.ts'
import { showError } from '../../state/undo.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { traceText } from '../../text/trace.ts'
import { criticalPath } from '../../trace/critical-path.ts'
import { failedCalls, findCalls, nextOf } from '../../trace/find-calls.ts'
import { Minimap } from '../../trace/minimap.tsx'
import { neighbourOf } from '../../trace/neighbours.ts'
import { selfTimes } from '../../trace/self-time.ts'
import { nameOf, rowOf, type Skeleton } from '../../trace/skeleton.ts'
import { TraceHead } from '../../trace/trace-head.tsx'
import { TraceTools } from '../../trace/trace-tools.tsx'
import { type TimeWindow, traceUrl } from '../../trace/trace-url.ts'
import { lineOf, lineTypes } from '../../trace/tree.ts'
import { TreePane } from '../../trace/tree-pane.tsx'
import { useFolds } from '../../trace/use-folds.ts'
import { useNow } from '../../trace/use-now.ts'
import { useTrace } from '../../trace/use-trace.ts'
import { Sheet } from './sheet.tsx'
import css from './trace-page.module.css'

const ByOpTable = lazyPart(() => import('../../trace/by-op-table.tsx'))
const FlameGraph = lazyPart(() => import('../../trace/flame-graph.tsx'))

const panelWidth = { initial: 560, min: 400, max: 760 }
const panelWidthKey = 'trace.panel'
const panelId = 'trace-view'

/** A trace: its tree, waterfall, ops and flame graph, and the call that is open. */
export function TracePage({ projectId, traceId }: { projectId: string; traceId: string }) {
  const trace = useTrace(projectId, traceId)
  const skeleton = trace.data?.skeleton
  if (trace.error && !skeleton) {
    return (
      <Page name={traceId}>
        <ErrorState error={trace.error} retry={() => void trace.refetch()} />
      </Page>
    )
  }
  if (!skeleton) {
    return (
      <Page name={traceId}>
        <LoadingRows columns="314px 56px 1fr" rows={20} height={26} what={traceText.reading} />
      </Page>
    )
  }
  if (skeleton.size === 0) {
    return (
      <Page name={traceId}>
        <EmptyState icon={ChartNoAxesGantt} title={traceText.noTrace}>
          {traceText.noTraceReason(traceId)}
        </EmptyState>
      </Page>
    )
  }
  return <Loaded key={traceId} projectId={projectId} skeleton={skeleton} trace={trace} />
}

interface LoadedProps {
  readonly projectId: string
  readonly skeleton: Skeleton
  readonly trace: ReturnType<typeof useTrace>
}

function Loaded({ projectId, skeleton, trace }: LoadedProps) {
  const { traceId } = skeleton
  const { call, view, z, q, path } = traceUrl.values.value
  const isPhone = useIsPhone()
  const isNarrow = useMedia('(max-width: 1080px)')
  const now = useNow(skeleton, trace.isRunning)
  const length = Math.max(now, 0.001)
  const window: TimeWindow = z
    ? { from: Math.min(z.from, length), to: Math.min(z.to, length) }
    : { from: 0, to: length }
  const selectedRow = call === '' ? (isNarrow ? -1 : 0) : rowOf(skeleton, call)
  const { lines, isOpen, toggle, reveal } = useFolds(skeleton, selectedRow)
  const found = useMemo(() => findCalls(skeleton, q), [skeleton, q])
  const foundRows = useMemo(() => new Set(found), [found])
  const failed = useMemo(() => failedCalls(skeleton), [skeleton])
  const marks = useMemo(() => (path ? criticalPath(skeleton, length) : undefined), [path, skeleton, length])
  const findField = useRef<HTMLInputElement>(null)
  const width = remembered(panelWidthKey, isNumber) ?? panelWidth.initial
  const [loading, setLoading] = useState<string | undefined>(undefined)

  const select = (row: number) => {
    if (row < 0) return
    reveal(row)
    traceUrl.replace({ call: skeleton.ids[row]! })
  }
  const openInTree = (row: number) => {
    if (row < 0) return
    reveal(row)
    traceUrl.commit({ call: skeleton.ids[row]!, view: 'tree' })
  }
  const step = (by: 1 | -1) => {
    const line = selectedRow < 0 ? -1 : lineOf(skeleton, lines, selectedRow)
    for (let next = line + by; next >= 0 && next < lines.length; next += by) {
      if (lines.type[next] !== lineTypes.more) return select(lines.row[next]!)
    }
  }
  const loadMore = async (row: number) => {
    const id = skeleton.ids[row]!
    if (loading !== undefined) return
    setLoading(id)
    await trace.loadChildren(id).catch(showError)
    setLoading(undefined)
  }
  const onToggle = (row: number, type: number) => {
    if (type === lineTypes.more) void loadMore(row)
    else toggle(row, type)
  }
  const fold = () => {
    if (selectedRow < 0) return
    const type = lines.type[lineOf(skeleton, lines, selectedRow)]!
    if (type === lineTypes.call && skeleton.childCount[selectedRow]! > 0 && isOpen(selectedRow, type))
      toggle(selectedRow, type)
    else select(skeleton.parent[selectedRow]!)
  }
  const unfold = () => {
    if (selectedRow < 0) return
    const type = lines.type[lineOf(skeleton, lines, selectedRow)]!
    const canOpen = type === lineTypes.run || skeleton.childCount[selectedRow]! > 0
    if (canOpen && !isOpen(selectedRow, type)) toggle(selectedRow, type)
    else if (skeleton.end[selectedRow]! > selectedRow + 1) select(selectedRow + 1)
  }
  const nextError = () => select(nextOf(failed, selectedRow, 1))
  const slowest = useSlowest(skeleton, length)
  const nextSlowest = () => {
    const at = slowest.indexOf(selectedRow)
    openInTree(slowest[(at + 1) % slowest.length]!)
  }
  const toNeighbour = (by: 1 | -1) => {
    neighbourOf(projectId, traceId, skeleton.startedAt, by)
      .then((next) => {
        if (next !== undefined) navigate(tracePath(projectId, next))
        else showToast({ kind: 'news', text: by === 1 ? traceText.lastTrace : traceText.firstTrace })
      })
      .catch(showError)
  }
  const isHere = ({ target }: Event) =>
    target === document.body ||
    (target instanceof Element &&
      target.closest('[data-keys=own], [role=tablist], [role=slider], [role=separator]') === null)

  useKeys([
    { keys: 'j', does: traceText.keys.next, run: () => step(1) },
    { keys: 'k', does: traceText.keys.previous, run: () => step(-1) },
    { keys: 'ArrowDown', does: traceText.keys.next, run: (event) => isHere(event) && step(1) },
    { keys: 'ArrowUp', does: traceText.keys.previous, run: (event) => isHere(event) && step(-1) },
    { keys: 'ArrowLeft', does: traceText.keys.close, run: (event) => isHere(event) && fold() },
    { keys: 'ArrowRight', does: traceText.keys.open, run: (event) => isHere(event) && unfold() },
    { keys: '/', does: traceText.keys.find, run: () => findField.current?.focus() },
    { keys: 'e', does: traceText.keys.errorKey, run: nextError },
    { keys: 's', does: traceText.keys.slowest, run: nextSlowest },
    { keys: 'c', does: traceText.keys.critical, run: () => traceUrl.commit({ path: !path, view: 'tree' }) },
    { keys: '[', does: traceText.keys.previousTrace, run: () => toNeighbour(-1) },
    { keys: ']', does: traceText.keys.nextTrace, run: () => toNeighbour(1) },
  ])

  // A call that is open but was not sent with the first part of a large trace.
  useEffect(() => {
    if (call !== '' && selectedRow < 0 && !skeleton.isComplete) void trace.loadAncestors(call).catch(showError)
  }, [call, selectedRow < 0])

  const onTreeKey = (event: KeyboardEvent) => {
    const moved = {
      Home: () => select(0),
      End: () => lines.length > 0 && select(lines.row[lines.length - 1]!),
      PageDown: () => stepMany(15),
      PageUp: () => stepMany(-15),
    }[event.key]
    if (!moved) return
    event.preventDefault()
    moved()
  }
  const stepMany = (by: number) => {
    const line = lineOf(skeleton, lines, Math.max(0, selectedRow))
    select(lines.row[Math.min(lines.length - 1, Math.max(0, line + by))]!)
  }
  const isPanelOpen = call !== '' || !isNarrow
  const panelCall = call === '' ? skeleton.ids[0]! : call
  const panel = isPanelOpen && (
    <CallPanel
      key={panelCall}
      projectId={projectId}
      skeleton={skeleton}
      callId={panelCall}
      row={selectedRow}
      now={length}
      onSelect={select}
      onClose={isNarrow ? () => traceUrl.commit({ call: '' }) : undefined}
    />
  )
  return (
    <Page
      name={nameOf(skeleton, 0)}
      class={css.body}
      foot={{
        facts: (
          <>
            <span>{traceText.callsCount(formatCount(skeleton.callCount))}</span>
            {!skeleton.isComplete && <span>{traceText.loaded(formatCount(skeleton.size))}</span>}
            <span>{formatDuration(trace.data?.tookMs ?? 0)}</span>
          </>
        ),
        keys: [
          ['J K', traceText.keys.move],
          ['← →', traceText.keys.fold],
          ['E', traceText.keys.error],
          ['[ ]', traceText.keys.neighbours],
        ],
      }}
    >
      <TraceHead
        projectId={projectId}
        traceId={traceId}
        skeleton={skeleton}
        length={length}
        errors={failed.length}
        isRunning={trace.isRunning}
        onNeighbour={toNeighbour}
      />
      <div class={css.columns}>
        <section class={css.main} aria-label={traceText.views}>
          <TraceTools
            panelId={panelId}
            view={view}
            find={q}
            findField={findField}
            found={found}
            selectedRow={selectedRow}
            errors={failed.length}
            isPathShown={path}
            onView={(next) => traceUrl.commit({ view: next })}
            onFind={(next) => traceUrl.replace({ q: next })}
            onFound={(by) => select(nextOf(found, selectedRow, by))}
            onError={nextError}
            onSlowest={nextSlowest}
            onPath={() => traceUrl.commit({ path: !path })}
          />
          <div id={panelId} role="tabpanel" aria-label={traceText.views} class={css.view}>
            {view === 'tree' && (
              <>
                <Minimap
                  skeleton={skeleton}
                  length={length}
                  now={length}
                  window={window}
                  onChange={(next, isFinal) => (isFinal ? traceUrl.commit({ z: next }) : traceUrl.replace({ z: next }))}
                />
                <TreePane
                  view={{
                    skeleton,
                    window,
                    now: length,
                    path: marks,
                    isFound: (row) => foundRows.has(row),
                    onSelect: (row) => traceUrl.replace({ call: skeleton.ids[row]! }),
                    onToggle,
                  }}
                  lines={lines}
                  selectedRow={selectedRow}
                  isOpen={isOpen}
                  onKeyDown={onTreeKey}
                />
              </>
            )}
            <ErrorBoundary>
              {view === 'ops' && <ByOpTable skeleton={skeleton} now={length} onOpen={openInTree} />}
              {view === 'flame' && <FlameGraph skeleton={skeleton} now={length} onOpen={openInTree} />}
            </ErrorBoundary>
          </div>
        </section>
        {!isNarrow && (
          <Splitter
            width={width}
            {...panelWidth}
            grows="left"
            label={traceText.widthOfPanel}
            onChange={(next) => remember(panelWidthKey, next)}
          />
        )}
        {isNarrow ? (
          panel && (isPhone ? <Sheet>{panel}</Sheet> : <aside class={css.over}>{panel}</aside>)
        ) : (
          <aside class={css.panel} style={{ width: `${width}px` }} aria-label={traceText.call}>
            {panel}
          </aside>
        )}
      </div>
    </Page>
  )
}

/** Rows by self time, the slowest first, as many as one steps through. */
function useSlowest(skeleton: Skeleton, now: number): readonly number[] {
  return useMemo(() => {
    const self = selfTimes(skeleton, now)
    return Array.from(self.keys())
      .sort((a, b) => self[b]! - self[a]!)
      .slice(0, 20)
  }, [skeleton])
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
