import { ArrowRightLeft, GitCompare, X } from 'lucide'
import { useMemo, useRef } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { type AlignedRow, alignTrees, isDifferent, rowIn, type Side } from '../../compare/align.ts'
import { CallCompare } from '../../compare/call-compare.tsx'
import { CompareRow } from '../../compare/compare-row.tsx'
import { letterOf, SideMark } from '../../compare/side-mark.tsx'
import { idsOf, onlyIds, sidesMax, sidesUrl, useSides } from '../../compare/use-sides.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { shortId } from '../../format/ids.ts'
import { formatCost, formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { flag, number, oneOf } from '../../state/search-text.ts'
import { urlState } from '../../state/url-state.ts'
import { useMedia } from '../../state/use-media.ts'
import { compareText } from '../../text/trace/compare.ts'
import { endOf, nameOf } from '../../trace/skeleton.ts'
import css from './compare-view.module.css'

const rowHeight = 30

const url = urlState({ ...sidesUrl, diff: flag(), row: number(0), part: oneOf(['output', 'inputs']) })

/** Two to four traces or calls beside each other. */
export default function CompareView() {
  const projectId = useProject()
  const named = idsOf(url.values.value)
  const ids = named.slice(0, sidesMax)
  const query = useSides(projectId, ids)
  const missing = (query.data ?? []).filter(({ roots }) => roots.length === 0)
  if (ids.length === 0 || missing.length === ids.length) {
    return (
      <Page name={compareText.title} title={compareText.title}>
        <EmptyState
          icon={GitCompare}
          title={compareText.nothing}
          action={<a href={viewPath(projectId, 'traces')}>{compareText.openList}</a>}
        >
          {missing.length > 0 ? compareText.unknown(missing.map(({ id }) => id)) : compareText.nothingReason}
        </EmptyState>
      </Page>
    )
  }
  if (query.error && !query.data) {
    return (
      <Page name={compareText.title} title={compareText.title}>
        <ErrorState error={query.error} retry={() => void query.refetch()} />
      </Page>
    )
  }
  if (!query.data) {
    return (
      <Page name={compareText.title} title={compareText.title}>
        <LoadingRows columns="1.1fr 1fr 1fr" rows={16} what={compareText.reading} />
      </Page>
    )
  }
  return (
    <Compared
      projectId={projectId}
      sides={query.data.filter(({ roots }) => roots.length > 0)}
      missingIds={missing.map(({ id }) => id)}
      isCut={named.length > sidesMax}
    />
  )
}

interface ComparedProps {
  readonly projectId: string
  readonly sides: readonly Side[]
  /** Ids of the address under which nothing is stored. */
  readonly missingIds: readonly string[]
  /** The address names more than are compared. */
  readonly isCut: boolean
}

function Compared({ projectId, sides, missingIds, isCut }: ComparedProps) {
  const { diff: onlyDifferent, row: selected, part } = url.values.value
  const isNarrow = useMedia('(max-width: 1080px)')
  const listRef = useRef<FixedRowsHandle>(null)
  const all = useMemo(() => {
    const rows = alignTrees(sides)
    return rows.map((row, index) => ({ row, index, isDifferent: isDifferent(sides, row) }))
  }, [sides])
  const shown = useMemo(() => (onlyDifferent ? all.filter((each) => each.isDifferent) : all), [all, onlyDifferent])
  const longest = Math.max(1, ...sides.map((side) => lengthOf(side)))
  const current = all[selected]
  const ids = sides.map(({ id }) => id)

  const place = shown.findIndex(({ index }) => index === selected)
  const go = (by: 1 | -1) => {
    const next = shown[Math.min(shown.length - 1, Math.max(0, place + by))]
    if (!next) return
    url.replace({ row: next.index })
    listRef.current?.show(shown.indexOf(next))
  }
  const open = () => {
    const side = current ? sides.findIndex((_, index) => rowIn(current.row, index) >= 0) : -1
    if (!current || side < 0) return
    const { skeleton } = itemAt(sides, side)
    navigate(tracePath(projectId, skeleton.traceId, skeleton.id(rowIn(current.row, side))))
  }
  useKeys([
    { keys: 'j', does: compareText.keys.next, run: () => go(1) },
    { keys: 'k', does: compareText.keys.previous, run: () => go(-1) },
    { keys: 'd', does: compareText.keys.different, run: () => url.commit({ diff: !onlyDifferent }) },
    { keys: 'Enter', does: compareText.keys.open, run: (event) => event.target === document.body && open() },
  ])
  const different = all.reduce((count, each) => count + Number(each.isDifferent), 0)
  return (
    <Page
      name={compareText.title}
      class={css.body}
      back={{ href: viewPath(projectId, 'traces'), label: compareText.back }}
      title={
        <>
          {compareText.title}
          <span class={css.what}>{compareText.traces(sides.length)}</span>
        </>
      }
      actions={
        sides.length > 1 && (
          <Button
            kind="quiet"
            icon={ArrowRightLeft}
            onClick={() => url.commit(onlyIds([...ids.slice(1), ...ids.slice(0, 1)]))}
          >
            {compareText.swap}
          </Button>
        )
      }
      foot={{
        facts: <span>{compareText.differentCount(formatCount(different), formatCount(all.length))}</span>,
        keys: [
          ['J K', compareText.keys.row],
          ['D', compareText.keys.differentShort],
          ['↵', compareText.keys.openShort],
        ],
      }}
    >
      {missingIds.length > 0 && (
        <Banner
          action={
            <Button kind="quiet" size="compact" onClick={() => url.commit(onlyIds(ids))}>
              {compareText.removeMissing}
            </Button>
          }
        >
          {compareText.unknown(missingIds)}
        </Banner>
      )}
      {isCut && <Banner tone="info">{compareText.cut(sidesMax)}</Banner>}
      <div class={css.tools}>
        <ul class={css.chips}>
          {sides.map((side, index) => (
            <Chip
              key={side.id}
              side={side}
              index={index}
              onRemove={ids.length > 1 ? () => url.commit(onlyIds(ids.filter((id) => id !== side.id))) : undefined}
            />
          ))}
        </ul>
        <Checkbox checked={onlyDifferent} onChange={(checked) => url.commit({ diff: checked })}>
          {compareText.different}
        </Checkbox>
      </div>
      <div class={css.columns}>
        <div class={css.list}>
          {shown.length === 0 ? (
            <EmptyState icon={GitCompare} title={compareText.equal} />
          ) : (
            <FixedRows
              list={listRef}
              items={shown}
              rowHeight={rowHeight}
              role="grid"
              tabIndex={0}
              aria-label={compareText.title}
              aria-rowcount={shown.length}
              before={<Head sides={sides} />}
              render={(each) => (
                <CompareRow
                  key={each.index}
                  id={`row-${each.index}`}
                  sides={sides}
                  row={each.row}
                  longest={longest}
                  isDifferent={each.isDifferent}
                  isSelected={each.index === selected}
                  onSelect={() => url.replace({ row: each.index })}
                />
              )}
            />
          )}
        </div>
        <div class={css.panel} data-narrow={isNarrow || undefined}>
          {current ? (
            <CallCompare
              key={keyOf(current.row)}
              projectId={projectId}
              sides={sides}
              row={current.row}
              path={part}
              onPath={(next) => url.replace({ part: next })}
            />
          ) : (
            <p class={css.note}>{compareText.select}</p>
          )}
        </div>
      </div>
    </Page>
  )
}

const keyOf = ({ rows }: AlignedRow): string => rows.join()

const Head = ({ sides }: { sides: readonly Side[] }) => (
  <div class={css.head} role="row" style={{ '--sides': sides.length }}>
    <span role="columnheader" class={css.headName}>
      {compareText.calls}
    </span>
    {sides.map((side, index) => (
      <span key={side.id} role="columnheader" class={css.headSide}>
        <SideMark side={index} />
        <span class="cut">{nameOf(side.skeleton, itemAt(side.roots, 0))}</span>
      </span>
    ))}
  </div>
)

interface ChipProps {
  readonly side: Side
  readonly index: number
  readonly onRemove: (() => void) | undefined
}

function Chip({ side, index, onRemove }: ChipProps) {
  const root = itemAt(side.roots, 0)
  const cost = side.skeleton.totalCost(root)
  return (
    <li class={css.chip}>
      <SideMark side={index} />
      <span class={css.chipName}>{nameOf(side.skeleton, root)}</span>
      <span class={css.what}>{shortId(side.id, 8)}</span>
      <span>{formatDuration(lengthOf(side))}</span>
      {!Number.isNaN(cost) && <span>{formatCost(cost)}</span>}
      {index === 0 && <Badge>{compareText.baseline}</Badge>}
      {onRemove && index > 0 && (
        <IconButton
          of={X}
          size="compact"
          iconSize={14}
          label={compareText.remove(letterOf(index))}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

const lengthOf = ({ skeleton, roots }: Side): number =>
  Math.max(...roots.map((row) => endOf(skeleton, row, 0))) - skeleton.start(itemAt(roots, 0))
