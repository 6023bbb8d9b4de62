import { FileSearch, ListChecks, Pencil, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { QueueForm } from '../../review/queue-form.tsx'
import {
  deleteQueueLater,
  itemsQuery,
  type ListedQueue,
  personOf,
  queueQuery,
  updateQueue,
} from '../../review/queues.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { hiddenIds } from '../../state/pending-deletes.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewText } from '../../text/review.ts'
import { ItemList } from './item-list.tsx'
import css from './queue-view.module.css'

const AddItemsDialog = lazyPart(() => import('../../review/add-items-dialog.tsx'), { loading: () => null })

/** A queue: its items, and what can be done with it. */
export default function QueueView() {
  const projectId = useProject()
  const id = useRoute().params['queue'] ?? ''
  return <QueuePage key={id} projectId={projectId} id={id} />
}

function QueuePage({ projectId, id }: { projectId: string; id: string }) {
  const isPhone = useIsPhone()
  const [dialog, setDialog] = useState<'edit' | 'add'>()
  const queue = useQuery(queueQuery(projectId, id))
  const items = useQuery({ ...itemsQuery(projectId, id), enabled: queue.data != null })
  const hidden = hiddenIds.value
  const all = items.data?.filter((item) => !hidden.has(item.id))
  const mayWrite = canWrite.value && queue.data != null
  const close = () => setDialog(undefined)
  const add = () => setDialog('add')
  useKeys(mayWrite ? [{ keys: 'a', does: reviewText.addItems, run: add }] : [])
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
            <MenuButton
              label={reviewText.actions}
              side="end"
              items={[
                { label: reviewText.edit, icon: Pencil, run: () => setDialog('edit') },
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
              ] as const)
            : []),
        ],
      }}
    >
      {isMissing ? (
        <EmptyState
          icon={FileSearch}
          title={reviewText.noQueue}
          action={<a href={viewPath(projectId, 'queues')}>{reviewText.openList}</a>}
        >
          {reviewText.noQueueReason}
        </EmptyState>
      ) : queue.error ? (
        <ErrorState error={queue.error} retry={() => void queue.refetch()} />
      ) : items.error ? (
        <ErrorState error={items.error} retry={() => void items.refetch()} />
      ) : queue.data == null || all === undefined ? (
        <LoadingRows columns="60px 1fr 2fr 2fr 120px 96px" rows={20} height={34} what={reviewText.readingOne} />
      ) : (
        <>
          <Summary queue={queue.data} />
          {queue.data.progress.items > (items.data?.length ?? 0) && (
            <Banner tone="info">{reviewText.itemsCut(items.data?.length ?? 0, queue.data.progress.items)}</Banner>
          )}
          {all.length === 0 ? (
            <EmptyState
              icon={ListChecks}
              title={reviewText.noItems}
              action={mayWrite && <Button onClick={add}>{reviewText.addItems}</Button>}
            >
              {reviewText.noItemsReason}
            </EmptyState>
          ) : (
            <ItemList projectId={projectId} queueId={id} items={all} />
          )}
        </>
      )}
      {dialog === 'add' && queue.data && <AddItemsDialog projectId={projectId} queue={queue.data} onClose={close} />}
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

/** Progress, people and the description, above the items. */
function Summary({ queue: { description, progress } }: { queue: ListedQueue }) {
  const { items, finished_items, reviewers, last_answer_at } = progress
  return (
    <div class={css.summary}>
      <ProgressMeter done={finished_items} all={items} />
      <span class={css.grey}>
        {reviewers.length === 0
          ? reviewText.nobody
          : reviewText.who(reviewers.map(({ user_id, answers }) => `${personOf(user_id)} ${answers}`))}
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
