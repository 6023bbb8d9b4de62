import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { opName } from '../format/ids.ts'
import { formatAgo } from '../format/time.ts'
import { useQuery } from '../state/query-signal.ts'
import { session } from '../state/session.ts'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import css from './finished-dialog.module.css'
import { type FinishedItem, readFinished } from './own-answers.ts'
import { personOf } from './queues.ts'

/** Items that a list shows. */
const shownMax = 500

interface FinishedDialogProps {
  readonly projectId: string
  readonly queueId: string
  readonly onOpen: (itemId: string) => void
  readonly onClose: () => void
}

/** What the reviewer has answered, and what people have skipped, by their reasons. */
export default function FinishedDialog({ projectId, queueId, onOpen, onClose }: FinishedDialogProps) {
  const [state, setState] = useState<FinishedItem['state']>('completed')
  const isMine = state === 'completed'
  const { data, error, refetch } = useQuery({
    queryKey: ['queues', projectId, 'finished', queueId, state],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      readFinished(projectId, queueId, { mine: isMine, state, limit: shownMax }, signal),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={reviewFormText.finishedTitle}
      class={css.dialog}
      foot={
        <Button hint="esc" onClick={onClose}>
          {reviewFormText.close}
        </Button>
      }
    >
      <div class={css.body}>
        <Segments
          label={reviewFormText.finishedTitle}
          options={[
            { id: 'completed', label: reviewFormText.yours },
            { id: 'skipped', label: reviewFormText.skippedByReason },
          ]}
          current={state}
          onSelect={setState}
        />
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingRows columns="60px 1fr 80px" rows={5} height={32} what={reviewFormText.readingFinished} />
        ) : data.length === 0 ? (
          <p class={css.none}>{isMine ? reviewFormText.noneAnswered : reviewFormText.noneSkipped}</p>
        ) : (
          <div class={css.list} tabIndex={0} role="group" aria-label={reviewFormText.finishedTitle}>
            {isMine ? (
              <Items items={data} onOpen={onOpen} />
            ) : (
              [...Map.groupBy(data, ({ reason }) => reason ?? '')].map(([reason, items]) => (
                <section key={reason}>
                  <h3 class={css.reason}>
                    {reviewFormText.reasonWithCount(reason || reviewFormText.noReason, items.length)}
                  </h3>
                  <Items items={items} onOpen={onOpen} />
                </section>
              ))
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}

const Items = ({
  items,
  onOpen,
}: {
  readonly items: readonly FinishedItem[]
  readonly onOpen: (itemId: string) => void
}) => (
  <ul class={css.items}>
    {items.map(({ item_id, position_in_queue, call_op_name, user_id, state, finished_at }) => (
      <li key={`${item_id} ${user_id}`} class={css.item}>
        <span>{reviewFormText.item(position_in_queue)}</span>
        <span class={css.op} dir="auto">
          {opName(call_op_name)}
        </span>
        <span class={css.when}>
          {state === 'skipped' && `${reviewText.byWhom(personOf(user_id))}, `}
          {formatAgo(finished_at)}
        </span>
        {user_id === session.value?.user_id ? (
          <Button size="compact" aria-label={reviewFormText.reopen(position_in_queue)} onClick={() => onOpen(item_id)}>
            {state === 'skipped' ? reviewFormText.answer : reviewFormText.change}
          </Button>
        ) : (
          <span />
        )}
      </li>
    ))}
  </ul>
)
