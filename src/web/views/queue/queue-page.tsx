import { ListChecks, Pencil, Plus, SlidersHorizontal, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { ExportMenu, useExports } from '../../agreement/export-menu.tsx'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Tabs } from '../../components/controls/tabs.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { fieldsQuery, type ReviewField } from '../../review/fields.ts'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { QueueForm } from '../../review/queue-form.tsx'
import {
  assignedNames,
  deleteQueueLater,
  isForMe,
  itemsQuery,
  type ListedQueue,
  personOf,
  queueQuery,
  updateQueue,
  wholeItems,
} from '../../review/queues.ts'
import { adjudicatePath, reviewPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { hiddenIds } from '../../state/pending-deletes.ts'
import { useQuery } from '../../state/query-signal.ts'
import { oneOf } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { agreementText } from '../../text/agreement.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import { ItemList } from './item-list.tsx'
import { MissingQueue } from './missing-queue.tsx'
import css from './queue-view.module.css'

const SettingsDialog = lazyPart(() => import('../../review/settings-dialog.tsx'), { loading: () => null })
const OverviewPanel = lazyPart(() => import('../../agreement/overview-panel.tsx'))
const AddItemsDialog = lazyPart(() => import('../../agreement/add-items-dialog.tsx'), { loading: () => null })

/** Without a tab: the overview once somebody has answered. */
const url = urlState({ tab: oneOf(['', 'overview', 'items']) })

/** The items of a queue and how its review goes, and what can be done with it. */
export default function QueuePage({ projectId, id }: { projectId: string; id: string }) {
  const isPhone = useIsPhone()
  const [dialog, setDialog] = useState<'edit' | 'add' | 'review'>()
  const queue = useQuery(queueQuery(projectId, id))
  const fields = useQuery(fieldsQuery(projectId, queue.data?.scorer_refs ?? []))
  const items = useQuery({ ...itemsQuery(projectId, id), enabled: queue.data != null })
  const exports = useExports(projectId, queue.data ?? undefined, fields.data ?? none)
  const hidden = hiddenIds.value
  const tab = url.values.value.tab || ((queue.data?.progress.answers ?? 0) > 0 ? 'overview' : 'items')
  const all = items.data?.filter((item) => !hidden.has(item.id))
  const mayWrite = canWrite.value && queue.data != null
  const mayReview = mayWrite && queue.data != null && isForMe(queue.data)
  const close = () => setDialog(undefined)
  const add = () => setDialog('add')
  const review = () => navigate(reviewPath(projectId, id))
  const decide = () => navigate(adjudicatePath(projectId, id))
  useKeys(
    mayWrite
      ? [
          { keys: 'a', does: reviewText.addItems, run: add },
          ...(mayReview ? [{ keys: 'r', does: reviewText.review, run: review }] : []),
          { keys: 'v', does: agreementText.keys.decide, run: decide },
        ]
      : [],
  )
  const remove = () => {
    if (queue.data == null) return
    deleteQueueLater(projectId, queue.data)
    navigate(viewPath(projectId, 'queues'))
  }
  const isMissing = queue.data === null
  return (
    <Page
      name={queue.data?.name ?? reviewText.title}
      back={{ href: viewPath(projectId, 'queues'), label: reviewText.title }}
      title={
        <span class="cut" dir="auto">
          {queue.data?.name ?? (isMissing ? reviewText.noQueue : '')}
        </span>
      }
      class={css.body}
      tabs={
        queue.data != null &&
        !isPhone && (
          <QueueTabs current={tab} items={queue.data.progress.items} onSelect={(next) => url.commit({ tab: next })} />
        )
      }
      actions={
        mayWrite && (
          <>
            {isPhone ? (
              <IconButton of={Plus} label={reviewText.addItems} onClick={add} />
            ) : (
              <Button icon={Plus} hint="A" onClick={add}>
                {reviewText.addItems}
              </Button>
            )}
            {!isPhone && exports && <ExportMenu {...exports} />}
            {mayReview && all !== undefined && all.length > 0 && (
              <Button kind="primary" icon={ListChecks} hint={isPhone ? undefined : 'R'} onClick={review}>
                {reviewText.review}
              </Button>
            )}
            <MenuButton
              label={reviewText.actions}
              side="end"
              items={[
                { label: reviewText.edit, icon: Pencil, run: () => setDialog('edit') },
                { label: reviewText.formTitle, icon: SlidersHorizontal, run: () => setDialog('review') },
                ...(isPhone && exports ? exports.items : []),
                { label: reviewText.delete, icon: Trash2, danger: true, separator: true, run: remove },
              ]}
            />
          </>
        )
      }
      foot={{
        facts: all && <span>{reviewText.itemsCount(all.length, all.length)}</span>,
        keys: [
          ['J K', reviewText.keys.move],
          ['↵', reviewText.keys.openShort],
          ...(mayWrite
            ? ([
                ['X', reviewText.keys.selectShort],
                ['A', reviewText.keys.add],
                ...(mayReview ? ([['R', reviewText.keys.review]] as const) : []),
                ['V', agreementText.decideShort],
              ] as const)
            : []),
        ],
      }}
    >
      {isMissing ? (
        <MissingQueue projectId={projectId} />
      ) : queue.error ? (
        <ErrorState error={queue.error} retry={() => void queue.refetch()} />
      ) : items.error ? (
        <ErrorState error={items.error} retry={() => void items.refetch()} />
      ) : queue.data == null || all === undefined ? (
        <LoadingRows columns="60px 1fr 2fr 2fr 120px 96px" rows={20} height={34} what={reviewText.readingOne} />
      ) : (
        <>
          {isPhone && <QueueTabs current={tab} items={all.length} onSelect={(next) => url.commit({ tab: next })} />}
          {tab === 'items' && <Summary queue={queue.data} />}
          {queue.data.progress.items > (items.data?.length ?? 0) && (
            <Banner tone="info">{reviewText.itemsCut(items.data?.length ?? 0, queue.data.progress.items)}</Banner>
          )}
          {tab === 'overview' ? (
            <div id={panelId} role="tabpanel" aria-label={agreementText.overview} class={css.panel}>
              <OverviewPanel projectId={projectId} queue={queue.data} fields={fields.data ?? none} />
            </div>
          ) : all.length === 0 ? (
            <EmptyState
              icon={ListChecks}
              title={reviewText.noItems}
              action={
                mayWrite && (
                  <Button kind="primary" icon={Plus} hint="A" onClick={add}>
                    {reviewText.addItems}
                  </Button>
                )
              }
            >
              {reviewText.noItemsReason}
            </EmptyState>
          ) : (
            <div id={panelId} role="tabpanel" aria-label={reviewText.itemsTab} class={css.panel}>
              <ItemList
                projectId={projectId}
                queueId={id}
                items={all}
                reviewers={queue.data.progress.reviewers}
                fields={fields.data ?? none}
              />
            </div>
          )}
        </>
      )}
      {dialog === 'add' && queue.data && <AddItemsDialog projectId={projectId} queue={queue.data} onClose={close} />}
      {dialog === 'review' && queue.data && (queue.data.scorer_refs.length === 0 || fields.data) && (
        <SettingsDialog projectId={projectId} queue={queue.data} fields={fields.data ?? []} onClose={close} />
      )}
      {dialog === 'edit' && queue.data && (
        <QueueForm
          title={reviewText.editTitle}
          verb={reviewText.save}
          initial={queue.data}
          save={async (name, description) => {
            await updateQueue(projectId, id, { name, description })
            close()
          }}
          onClose={close}
        />
      )}
    </Page>
  )
}

const panelId = 'queue-part'

const none: readonly ReviewField[] = []

type Part = 'overview' | 'items'

interface QueueTabsProps {
  readonly current: Part
  readonly items: number
  readonly onSelect: (part: Part) => void
}

const QueueTabs = ({ current, items, onSelect }: QueueTabsProps) => (
  <Tabs
    label={reviewText.tabs}
    panelId={panelId}
    class={css.tabs}
    tabs={[
      { id: 'overview', label: agreementText.overview },
      { id: 'items', label: reviewText.itemsTab, count: items },
    ]}
    current={current}
    onSelect={onSelect}
  />
)

/** Progress, people and the description, above the items. */
function Summary({ queue }: { queue: ListedQueue }) {
  const { description, review, progress } = queue
  const { items, reviewers, last_answer_at } = progress
  return (
    <div class={css.summary}>
      <ProgressMeter done={wholeItems(progress)} all={items} />
      <span class={css.grey}>{reviewText.whole(review.reviewers_per_item)}</span>
      {review.assigned_to.length > 0 && <span class={css.grey}>{reviewFormText.assignedTo(assignedNames(queue))}</span>}
      <span class={css.grey}>
        {reviewers.length === 0
          ? reviewText.nobody
          : reviewText.who(reviewers.map(({ user_id, name, answers }) => `${personOf(user_id, name)} ${answers}`))}
        {last_answer_at !== null && `, ${formatAgo(last_answer_at)}`}
      </span>
      {description !== '' && (
        <p class={css.description} dir="auto">
          {description}
        </p>
      )}
    </div>
  )
}
