import { BadgeCheck, Trash2, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { goldQuery } from '../../agreement/requests.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { opName } from '../../format/ids.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import type { ReviewField } from '../../review/fields.ts'
import {
  callsOfItemsQuery,
  type Item,
  type ItemState,
  itemStates,
  personOf,
  type Reviewer,
  removeItemsLater,
} from '../../review/queues.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, oneOf } from '../../state/search-text.ts'
import { canWrite, isAdmin } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import type { CallRow } from '../../table/call-row.ts'
import { preview } from '../../table/rows/preview.tsx'
import { agreementText } from '../../text/agreement.ts'
import { reviewText } from '../../text/review.ts'
import css from './queue-view.module.css'

const GoldDialog = lazyPart(() => import('../../agreement/gold-dialog.tsx'), { loading: () => null })

const url = urlState({ state: oneOf(['all', ...itemStates]), at: number(0) })
const rowHeight = { wide: 34, phone: 62 }
/** Items whose calls are read by one request. */
const blockRows = 100

interface ItemListProps {
  readonly projectId: string
  readonly queueId: string
  readonly items: readonly Item[]
  readonly reviewers: readonly Reviewer[]
  readonly fields: readonly ReviewField[]
}

/** Items of a queue with their state; the selected ones can be removed. */
export function ItemList({ projectId, queueId, items, reviewers, fields }: ItemListProps) {
  const isPhone = useIsPhone()
  const list = useRef<FixedRowsHandle>(null)
  const [first, setFirst] = useState(0)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const { state, at } = url.values.value
  const shown = items.filter((item) => state === 'all' || item.annotation_state === state)
  const block = Math.floor(first / blockRows)
  const idsOf = (index: number) => shown.slice(index * blockRows, (index + 1) * blockRows).map(({ call_id }) => call_id)
  const calls = useQuery(callsOfItemsQuery(projectId, idsOf(block)))
  const nextCalls = useQuery(callsOfItemsQuery(projectId, idsOf(block + 1)))
  const callOf = (id: string) => calls.data?.get(id) ?? nextCalls.data?.get(id)
  const isRead = (index: number) =>
    Math.floor(index / blockRows) === block ? calls.data !== undefined : nextCalls.data !== undefined
  const chosen = shown.filter(({ id }) => picked.has(id)).map(({ id }) => id)
  const gold = useQuery({ ...goldQuery(projectId, queueId), enabled: isAdmin.value })
  const knownOf = (id: string) => gold.data?.items.find((each) => each.item_id === id)?.answers
  const [goldItem, setGoldItem] = useState<Item>()
  const single = chosen.length === 1 ? shown.find(({ id }) => id === chosen[0]) : undefined
  const toggle = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  const remove = () => {
    removeItemsLater(projectId, queueId, chosen)
    setPicked(new Set())
  }
  const go = (to: number) => {
    const next = Math.min(shown.length, Math.max(1, to))
    url.replace({ at: next })
    list.current?.show(next - 1)
  }
  const current = shown[at - 1]
  useKeys([
    { keys: 'j', does: reviewText.keys.next, run: () => go(at + 1) },
    { keys: 'k', does: reviewText.keys.previous, run: () => go(at - 1) },
    {
      keys: 'Enter',
      does: reviewText.keys.open,
      run: (event) => event.target === document.body && current && navigate(pathOf(projectId, current)),
    },
    ...(canWrite.value
      ? [
          { keys: 'x', does: reviewText.keys.select, run: () => current && toggle(current.id) },
          { keys: 'Backspace', does: reviewText.removeSelected, run: () => chosen.length > 0 && remove() },
          { keys: 'Escape', does: reviewText.clearSelection, run: () => setPicked(new Set()) },
        ]
      : []),
  ])
  return (
    <>
      <div class={css.tools}>
        {chosen.length === 0 ? (
          <Segments
            label={reviewText.stateLabel}
            current={state}
            onSelect={(next) => url.commit({ state: next, at: 0 })}
            options={(['all', ...itemStates] as const).map((each) => ({ id: each, label: labelOf(each, items) }))}
          />
        ) : (
          <div class={css.bulk} role="toolbar" aria-label={reviewText.remove}>
            <span role="status">{reviewText.itemsCount(chosen.length, items.length)}</span>
            <Button icon={Trash2} hint="⌫" onClick={remove}>
              {reviewText.remove}
            </Button>
            {isAdmin.value && single && fields.length > 0 && (
              <Button icon={BadgeCheck} onClick={() => setGoldItem(single)}>
                {agreementText.goldAction}
              </Button>
            )}
            <IconButton of={X} label={reviewText.clearSelection} hint="esc" onClick={() => setPicked(new Set())} />
          </div>
        )}
      </div>
      {shown.length === 0 ? (
        <p class={css.none}>{reviewText.noneInState}</p>
      ) : (
        <div class={css.rows}>
          <FixedRows
            list={list}
            items={shown}
            rowHeight={isPhone ? rowHeight.phone : rowHeight.wide}
            before={isPhone ? undefined : <Head />}
            onRange={(from) => setFirst(from)}
            render={(item, index) => (
              <Row
                key={item.id}
                projectId={projectId}
                item={item}
                person={personOf(item.annotator_user_id, nameIn(reviewers, item.annotator_user_id))}
                call={callOf(item.call_id)}
                isRead={isRead(index)}
                isCurrent={index + 1 === at}
                isPicked={picked.has(item.id)}
                isGold={knownOf(item.id) !== undefined}
                onPick={canWrite.value ? () => toggle(item.id) : undefined}
              />
            )}
          />
        </div>
      )}
      {goldItem && (
        <GoldDialog
          projectId={projectId}
          queueId={queueId}
          item={goldItem}
          fields={fields}
          known={knownOf(goldItem.id)}
          onClose={() => setGoldItem(undefined)}
        />
      )}
    </>
  )
}

const pathOf = (projectId: string, { call_trace_id, call_id }: Item): string =>
  tracePath(projectId, call_trace_id, call_id)

const labelOf = (state: ItemState | 'all', items: readonly Item[]) => (
  <>
    {state === 'all' ? reviewText.all : reviewText.states[state]}{' '}
    <span class={css.count}>
      {state === 'all' ? items.length : items.filter((item) => item.annotation_state === state).length}
    </span>
  </>
)

const Head = () => (
  <div class={classNames(css.row, css.head)} aria-hidden="true">
    <span />
    <span class={css.number}>{reviewText.heads.item}</span>
    <span class={css.extra}>{reviewText.heads.op}</span>
    <span>{reviewText.heads.input}</span>
    <span class={css.extra}>{reviewText.heads.output}</span>
    <span>{reviewText.heads.state}</span>
    <span class={css.number}>{reviewText.heads.changed}</span>
  </div>
)

const nameIn = (reviewers: readonly Reviewer[], id: string | null) =>
  reviewers.find(({ user_id }) => user_id === id)?.name

interface RowProps {
  readonly projectId: string
  readonly item: Item
  /** Who changed its state last. */
  readonly person: string
  readonly call: CallRow | undefined
  /** Whether the calls around it have been read, so that a missing one is gone. */
  readonly isRead: boolean
  readonly isCurrent: boolean
  readonly isPicked: boolean
  readonly isGold: boolean
  readonly onPick: (() => void) | undefined
}

function Row({ projectId, item, person, call, isRead, isCurrent, isPicked, isGold, onPick }: RowProps) {
  const { position_in_queue: position, annotation_state: state, annotator_user_id: who, updated_at } = item
  return (
    <div class={classNames(css.row, isCurrent && css.current, isPicked && css.picked)}>
      {onPick ? <Checkbox checked={isPicked} onChange={onPick} label={reviewText.select(position)} /> : <span />}
      <a class={css.number} href={pathOf(projectId, item)} aria-label={reviewText.openCall(position)}>
        {String(position).padStart(3, '0')}
      </a>
      <span class={classNames(css.extra, css.grey)} dir="auto">
        {opName(item.call_op_name)}
      </span>
      <span class={css.input} dir="auto">
        {call ? preview(call.input) : isRead && <i class={css.grey}>{reviewText.gone}</i>}
      </span>
      <span class={classNames(css.extra, css.grey)} dir="auto">
        {call && preview(call.output)}
      </span>
      <span class={css.state}>
        {reviewText.states[state]} {isGold && <Badge tone="warn">{agreementText.goldMark}</Badge>}{' '}
        {who !== null && state !== 'unstarted' && <span class={css.grey}>{reviewText.byWhom(person)}</span>}
      </span>
      <span class={classNames(css.number, css.grey, css.when)} data-tip={formatFullTime(updated_at)}>
        {formatAgo(updated_at)}
      </span>
    </div>
  )
}
