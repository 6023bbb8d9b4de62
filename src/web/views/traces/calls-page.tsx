import { FileQuestionMark } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { BulkBar } from '../../bulk/bulk-bar.tsx'
import { TimeBrush } from '../../chart/time-brush.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { allOf, type FilterNode, partsOf } from '../../filter/expression.ts'
import { FilterBar } from '../../filter/filter-bar.tsx'
import { formatFilter } from '../../filter/format-filter.ts'
import { fixedRange, within } from '../../filter/time-range.ts'
import { rangeWords } from '../../filter/time-range-picker.tsx'
import { Page } from '../../page/page.tsx'
import { ViewTabs } from '../../saved/view-tabs.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { deleteLater } from '../../state/pending-deletes.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { useSearchToShare } from '../../state/shared-address.ts'
import { leaveTrail } from '../../state/trail.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone, useMedia } from '../../state/use-media.ts'
import { useReturn } from '../../state/use-return.ts'
import type { CallRow } from '../../table/call-row.ts'
import { newestFirst } from '../../table/columns/sort.ts'
import { countCalls, countWords } from '../../table/count-calls.ts'
import { Facets } from '../../table/facets/facets.tsx'
import { FacetsButton } from '../../table/facets/facets-button.tsx'
import { NewsPill } from '../../table/news-pill.tsx'
import { PageCost } from '../../table/page-cost.tsx'
import { forgetPages, forgetProject, pagesOf } from '../../table/pages-store.ts'
import { noSelection, type Selection } from '../../table/selection.ts'
import { suggesterFor } from '../../table/suggest.ts'
import { renewAnchor, timeAnchor } from '../../table/time-anchor.ts'
import { tracesUrl } from '../../table/traces-url.ts'
import { useHistogram } from '../../table/use-histogram.ts'
import { useNews } from '../../table/use-news.ts'
import { facetText } from '../../text/facets.ts'
import { tableText } from '../../text/table.ts'
import { CallsActions } from './calls-actions.tsx'
import { callsOfAddress } from './calls-of-address.ts'
import css from './calls-page.module.css'
import { CallsTable } from './calls-table.tsx'
import { KindLinks } from './kind-links.tsx'
import { NothingMatches } from './nothing-matches.tsx'
import { useTableRows } from './use-table-rows.ts'

/**
 * Remembers a list when it is left, so that a trace opened from it leads back to it and to the
 * neighbours in its order.
 */
function useTrail(projectId: string, path: string, rows: readonly CallRow[]): void {
  const latest = useRef({ rows, from: path })
  latest.current.rows = rows
  // When the list is unmounted, the address is already that of the next page.
  if (location.pathname === path) latest.current.from = path + location.search
  useEffect(
    () => () => {
      const { rows: listed, from } = latest.current
      leaveTrail({ projectId, traceIds: [...new Set(listed.map(({ traceId }) => traceId))], from })
    },
    [projectId],
  )
}

/** New rows are shown in steps, so that they can be read. */
const followMs = 1_500

/** A table of traces, or of all calls, with everything that narrows it down. */
export function CallsPage({ rootsOnly }: { rootsOnly: boolean }) {
  const projectId = useProject()
  const url = useMemo(() => urlState(tracesUrl), [])
  const { f, t, b, s, c, v, live } = url.values.value
  const [round, setRound] = useState(0)
  const isPhone = useIsPhone()
  const hasRoom = useMedia('(min-width: 1081px)')
  const hasRoomForThreads = useMedia('(min-width: 1361px)')
  const input = useRef<HTMLInputElement>(null)

  const { read, span, part, from, to, filter, query } = useMemo(
    () => callsOfAddress(projectId, rootsOnly, { f, t, b, s }),
    [projectId, rootsOnly, f, t, b, s, round],
  )
  const pages = useMemo(() => query && pagesOf(query), [query])
  useEffect(() => () => pages?.stop(), [pages])

  const { rows, columns, isSettled, isAll } = useTableRows(pages, c, hasRoomForThreads)
  const counted = useQuery({
    queryKey: ['count', projectId, rootsOnly, formatFilter(filter)],
    enabled: isSettled && !isAll,
    queryFn: ({ signal }) => countCalls({ projectId, rootsOnly, filter }, signal),
  }).data
  const count = isAll ? rows.length : counted

  const [selection, setSelection] = useState<Selection>(noSelection)
  useEffect(() => setSelection(noSelection), [pages])
  const isReady = rows.length > 0 || isSettled
  const { histogram, isSettled: isCharted } = useHistogram(
    { projectId, rootsOnly, filter: read.node },
    span,
    isReady && !read.error,
  )
  const timeFilter = useMemo(() => within(undefined, from, to), [from, to])
  const setFilter = (node: FilterNode | undefined): void => url.commit({ f: formatFilter(node) })
  const noun = (count: number): string => tableText.kindOfRows(rootsOnly, count)
  /** Reads everything again, from now. */
  const renew = (): void => {
    if (query) forgetPages(query)
    renewAnchor(projectId)
    setRound(round + 1)
  }
  const isNewest = s.id === newestFirst.id && s.direction === newestFirst.direction && to === undefined
  const news = useNews(pages, { projectId, rootsOnly, filter: read.node, enabled: isSettled && isNewest })
  useEffect(() => {
    if (!live || news.count === 0 || (pages?.scrollTop ?? 0) > 0 || selection.ids.size > 0) return
    const timer = setTimeout(renew, followMs)
    return () => clearTimeout(timer)
  }, [live, news.count])
  // Nobody loses the place where they read, or what they have selected.
  useReturn(() => {
    if (pages?.state.peek() === 'failed') pages.retry()
    else if ((pages?.scrollTop ?? 0) === 0 && selection.ids.size === 0) renew()
    else news.miss()
  })
  const chosen = rows.filter(({ id }) => selection.ids.has(id))
  const add = (node: FilterNode): void =>
    url.commit({ f: formatFilter(allOf([...partsOf(read.node), ...partsOf(node)])) })
  const hrefOf = (row: CallRow): string => tracePath(projectId, row.traceId, rootsOnly ? undefined : row.id)
  const open = (row: CallRow): void => navigate(hrefOf(row))
  useTrail(projectId, viewPath(projectId, rootsOnly ? 'traces' : 'calls'), rows)

  useSearchToShare(() => url.searchWith({ t: fixedRange(t, timeAnchor(projectId)), live: false }))

  useKeys([{ keys: 'f', does: tableText.keyWords.filter, run: () => input.current?.focus() }])
  const suggest = useMemo(() => suggesterFor(projectId, rootsOnly), [projectId, rootsOnly])
  const title = rootsOnly ? tableText.traces : tableText.calls

  const facets = (
    <Facets
      projectId={projectId}
      rootsOnly={rootsOnly}
      node={read.node}
      timeFilter={timeFilter}
      enabled={read.error !== undefined || (isReady && isCharted)}
      isEmpty={isReady && rows.length === 0}
      onFilter={setFilter}
    />
  )

  return (
    <Page
      name={title}
      title={<KindLinks projectId={projectId} rootsOnly={rootsOnly} />}
      tabs={
        !isPhone && (
          <ViewTabs
            projectId={projectId}
            kind={rootsOnly ? 'traces' : 'calls'}
            current={v}
            shown={{ filter: formatFilter(read.node), sort: s, columns: c }}
            enabled={isReady}
            onSelect={(view) =>
              url.commit({
                v: view?.id ?? '',
                f: view?.filter ?? '',
                s: view?.sort ?? newestFirst,
                c: view?.columns,
                b: undefined,
              })
            }
          />
        )
      }
      actions={
        <CallsActions
          query={{ projectId, rootsOnly, filter, sort: s }}
          filter={formatFilter(read.node)}
          range={t}
          span={span}
          columns={columns}
          isUsual={c === undefined}
          isLive={isNewest ? live : undefined}
          onRange={(range) => url.commit({ t: range, b: undefined })}
          onLive={(isLive) => url.commit({ live: isLive })}
          onColumns={(next) => url.commit({ c: next })}
        />
      }
      foot={{
        facts: (
          <>
            {isReady && (
              <span>{tableText.loaded(rows.length, count === undefined ? undefined : countWords(count))}</span>
            )}
            {pages && <PageCost pages={pages} onAsk={renew} />}
          </>
        ),
        keys: [
          ['J K', tableText.keys.move],
          ['X', tableText.keys.select],
          ['↵', tableText.keys.open],
          ['F', tableText.keys.filter],
        ],
      }}
      class={css.page}
    >
      {hasRoom && (
        <aside class={css.facets} aria-label={facetText.title}>
          {facets}
        </aside>
      )}
      <div class={css.main}>
        <div class={css.filter}>
          {!hasRoom && <FacetsButton>{facets}</FacetsButton>}
          <FilterBar text={f} onCommit={(text) => url.commit({ f: text })} suggest={suggest} inputRef={input} />
        </div>
        <div class={css.chart}>
          {histogram && (
            <TimeBrush
              buckets={histogram.buckets}
              span={histogram.span}
              selection={part}
              onSelect={(selected) => url.commit({ b: selected && { kind: 'between', ...selected } })}
              noun={noun}
            />
          )}
        </div>
        {((news.count > 0 && !live) || news.hasMissed) && (
          <NewsPill count={news.hasMissed ? undefined : news.count} rootsOnly={rootsOnly} onShow={renew} />
        )}
        {pages ? (
          <CallsTable
            pages={pages}
            projectId={projectId}
            rootsOnly={rootsOnly}
            columns={columns}
            rows={rows}
            sort={s}
            selection={selection}
            onSelect={setSelection}
            isPhone={isPhone}
            rangeWords={rangeWords(t)}
            hrefOf={hrefOf}
            onOpen={open}
            onFilter={add}
            onColumns={(next) => url.replace({ c: next })}
            onSort={(sort) => url.commit({ s: sort })}
            nothing={
              <NothingMatches
                projectId={projectId}
                rootsOnly={rootsOnly}
                node={read.node}
                timeFilter={timeFilter}
                rangeWords={rangeWords(b ?? t)}
                onFilter={setFilter}
                onAllTime={() => url.commit({ t: { kind: 'all' }, b: undefined })}
              />
            }
          />
        ) : (
          <EmptyState icon={FileQuestionMark} tone="error" title={tableText.badFilter}>
            {read.error?.message}
          </EmptyState>
        )}
        {chosen.length > 0 && (
          <BulkBar
            projectId={projectId}
            ids={chosen.map(({ id }) => id)}
            comparable={chosen.map(({ id, traceId }) => (rootsOnly ? traceId : id))}
            onClear={() => setSelection(noSelection)}
            onDelete={() => {
              const ids = chosen.map(({ id }) => id)
              setSelection(noSelection)
              deleteLater(projectId, ids, noun(ids.length), () => forgetProject(projectId))
            }}
          />
        )}
      </div>
    </Page>
  )
}
