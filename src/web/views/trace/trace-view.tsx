import { ChartNoAxesGantt } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { sharedLink } from '../../base.ts'
import { CallPanel } from '../../call/call-panel.tsx'
import { Splitter } from '../../components/controls/splitter.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { remember, remembered } from '../../state/preferences.ts'
import { useProject } from '../../state/project.ts'
import { showError } from '../../state/toasts.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { traceText } from '../../text/trace/trace.ts'
import { failedCalls, findCalls, nextOf } from '../../trace/find-calls.ts'
import { nameOf, rowOf, type Skeleton } from '../../trace/skeleton.ts'
import { criticalPath } from '../../trace/timeline/critical-path.ts'
import { Minimap } from '../../trace/timeline/minimap.tsx'
import { selfTimes } from '../../trace/timeline/self-time.ts'
import { TraceHead } from '../../trace/trace-head.tsx'
import { TraceTools } from '../../trace/trace-tools.tsx'
import { type TimeWindow, traceUrl } from '../../trace/trace-url.ts'
import { TreePane } from '../../trace/tree/tree-pane.tsx'
import { useFolds } from '../../trace/tree/use-folds.ts'
import { useNow, useTrace } from '../../trace/use-trace.ts'
import css from './trace-page.module.css'
import { useTraceMoves } from './use-trace-moves.ts'

/** The keys of a trace. */
function useTraceKeys(moves: ReturnType<typeof useTraceMoves>, { findField, isPathShown }: TraceKeysOptions) {
  const { step, fold, unfold, nextError, nextSlowest, toNeighbour } = moves
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
    { keys: 'c', does: traceText.keys.critical, run: () => traceUrl.commit({ path: !isPathShown, view: 'tree' }) },
    ...(sharedLink === undefined
      ? [
          { keys: '[', does: traceText.keys.previousTrace, run: () => toNeighbour(-1) },
          { keys: ']', does: traceText.keys.nextTrace, run: () => toNeighbour(1) },
        ]
      : []),
  ])
}

/** Whether a key is for the trace: fields, tabs and sliders have their own. */
const isHere = ({ target }: Event) =>
  target === document.body ||
  (target instanceof Element &&
    target.closest('[data-keys=own], [role=tablist], [role=slider], [role=separator]') === null)

interface TraceKeysOptions {
  readonly findField: RefObject<HTMLInputElement | null>
  /** Whether the critical path is shown. */
  readonly isPathShown: boolean
}

/** Rows by self time, the slowest first, as many as one steps through. */
function useSlowest(skeleton: Skeleton, now: number): readonly number[] {
  return useMemo(() => {
    const self = selfTimes(skeleton, now)
    return Array.from({ length: skeleton.size }, (_, row) => row)
      .sort((a, b) => self(b) - self(a))
      .slice(0, 20)
  }, [skeleton])
}

const ByOpTable = lazyPart(() => import('../../trace/tree/by-op-table.tsx'))
const FlameGraph = lazyPart(() => import('../../trace/timeline/flame-graph.tsx'))
/** Phones only. */
const Sheet = lazyPart(() => import('./sheet.tsx'))

const panelWidth = { initial: 560, min: 400, max: 760 }
const panelWidthKey = 'trace.panel'
const panelId = 'trace-view'

interface LoadedTraceProps {
  readonly projectId: string
  readonly skeleton: Skeleton
  readonly trace: ReturnType<typeof useTrace>
}

/** A trace that is read: its views, and the call that is open beside them. */
function LoadedTrace({ projectId, skeleton, trace }: LoadedTraceProps) {
  const { call, view, z, q, path } = traceUrl.values.value
  const isPhone = useIsPhone()
  const isNarrow = useMedia('(max-width: 1080px)')
  const now = useNow(skeleton, trace.isRunning)
  const length = Math.max(now, 0.001)
  const window: TimeWindow = z
    ? { from: Math.min(z.from, length), to: Math.min(z.to, length) }
    : { from: 0, to: length }
  const selectedRow = call === '' ? (isNarrow ? -1 : 0) : rowOf(skeleton, call)
  const folds = useFolds(skeleton, selectedRow)
  const found = useMemo(() => findCalls(skeleton, q), [skeleton, q])
  const foundRows = useMemo(() => new Set(found), [found])
  const failed = useMemo(() => failedCalls(skeleton), [skeleton])
  const marks = useMemo(() => (path ? criticalPath(skeleton, length) : undefined), [path, skeleton, length])
  const findField = useRef<HTMLInputElement>(null)
  const width = remembered(panelWidthKey, isNumber) ?? panelWidth.initial

  const slowest = useSlowest(skeleton, length)
  const moves = useTraceMoves({ projectId, skeleton, trace, folds, selectedRow, failed, slowest })
  useTraceKeys(moves, { findField, isPathShown: path })

  // A call that is open but was not sent with the first part of a large trace.
  useEffect(() => {
    if (call !== '' && selectedRow < 0 && !skeleton.isComplete) void trace.loadAncestors(call).catch(showError)
  }, [call, selectedRow < 0])

  const isPanelOpen = call !== '' || !isNarrow
  const panelCall = call === '' ? skeleton.id(0) : call
  const panel = isPanelOpen && (
    <CallPanel
      key={panelCall}
      projectId={projectId}
      skeleton={skeleton}
      callId={panelCall}
      row={selectedRow}
      now={length}
      onSelect={moves.select}
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
          ...(sharedLink === undefined ? [['[ ]', traceText.keys.neighbours] as const] : []),
        ],
      }}
    >
      <TraceHead
        projectId={projectId}
        traceId={skeleton.traceId}
        skeleton={skeleton}
        length={length}
        errors={failed.length}
        isRunning={trace.isRunning}
        onNeighbour={moves.toNeighbour}
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
            onFound={(by) => moves.select(nextOf(found, selectedRow, by))}
            onError={moves.nextError}
            onSlowest={moves.nextSlowest}
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
                    onSelect: (row) => traceUrl.replace({ call: skeleton.id(row) }),
                    onToggle: moves.onToggle,
                  }}
                  lines={folds.lines}
                  selectedRow={selectedRow}
                  isOpen={folds.isOpen}
                  onKeyDown={moves.onTreeKey}
                />
              </>
            )}
            {view === 'ops' && <ByOpTable skeleton={skeleton} now={length} onOpen={moves.openInTree} />}
            {view === 'flame' && <FlameGraph skeleton={skeleton} now={length} onOpen={moves.openInTree} />}
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

const isNumber = (value: unknown): value is number => typeof value === 'number'

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
  return <LoadedTrace key={traceId} projectId={projectId} skeleton={skeleton} trace={trace} />
}

/** A trace, with one of its calls open. */
export default function TraceView() {
  const { params } = useRoute()
  return <TracePage projectId={useProject()} traceId={params['trace'] ?? ''} />
}
