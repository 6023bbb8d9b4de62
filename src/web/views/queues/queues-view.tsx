import { ListChecks, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FoundList, useListKeys } from '../../components/list/found-list.tsx'
import lists from '../../components/list/list.module.css'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { QueueForm } from '../../review/queue-form.tsx'
import { createQueue, type ListedQueue, personOf, queuesQuery, waitingForMe, wholeItems } from '../../review/queues.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { queuePath } from '../../state/paths.ts'
import { hiddenIds } from '../../state/pending-deletes.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { reviewText } from '../../text/review.ts'
import css from './queues-view.module.css'

const url = urlState({ find: text(), at: number(0) })

const askAgainMs = 10_000

/** Queues of a project, newest first. */
export default function QueuesView() {
  const projectId = useProject()
  const [isMaking, setMaking] = useState(false)
  const { data, error, refetch } = useQuery({ ...queuesQuery(projectId), refetchInterval: askAgainMs })
  const { find, at } = url.values.value
  const hidden = hiddenIds.value
  const all = (data ?? []).filter(({ id }) => !hidden.has(id))
  const shown = all.filter((each) => `${each.name} ${each.description}`.toLowerCase().includes(find.toLowerCase()))
  const waiting = all.reduce((sum, queue) => sum + waitingForMe(queue), 0)
  const open = (queue: ListedQueue) => navigate(queuePath(projectId, queue.id))
  useKeys(canWrite.value ? [{ keys: 'n', does: reviewText.newQueue, run: () => setMaking(true) }] : [])
  const keys = useListKeys({
    shown,
    at,
    onAt: (next) => url.replace({ at: next }),
    open,
    words: {
      next: reviewText.keys.next,
      previous: reviewText.keys.previous,
      open: reviewText.keys.open,
      find: reviewText.find,
    },
  })
  const makeButton = canWrite.value && (
    <Button kind="primary" icon={Plus} hint="N" onClick={() => setMaking(true)}>
      {reviewText.newQueue}
    </Button>
  )
  return (
    <Page
      name={reviewText.title}
      title={reviewText.title}
      class={lists.body}
      actions={all.length > 0 && makeButton}
      foot={{
        facts: data && (
          <>
            <span>{reviewText.queuesCount(shown.length, all.length)}</span>
            {waiting > 0 && <span>{reviewText.waiting(waiting)}</span>}
          </>
        ),
        keys: [
          ['J K', reviewText.keys.move],
          ['↵', reviewText.keys.openShort],
          ['/', reviewText.keys.find],
          ...(canWrite.value ? [['N', reviewText.keys.make] as const] : []),
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 80px 80px 1fr 1fr 96px" rows={14} height={40} what={reviewText.readingList} />
      ) : all.length === 0 ? (
        <EmptyState icon={ListChecks} title={reviewText.none} action={makeButton}>
          {reviewText.noneReason} {!canWrite.value && reviewText.noneReasonRead}
        </EmptyState>
      ) : (
        <FoundList
          keys={keys}
          shown={shown}
          find={find}
          icon={ListChecks}
          words={{ find: reviewText.find, noneFound: reviewText.noneFound(find), clear: reviewText.clear }}
          onFind={(next) => url.replace({ find: next, at: 0 })}
          onClear={() => url.commit({ find: '' })}
          open={open}
          head={<Head />}
          render={(queue, index) => (
            <Row key={queue.id} projectId={projectId} queue={queue} isCurrent={index + 1 === at} />
          )}
        />
      )}
      {isMaking && (
        <QueueForm
          title={reviewText.newQueue}
          verb={reviewText.create}
          save={async (name, description) => {
            const id = await createQueue(projectId, name, description)
            setMaking(false)
            navigate(queuePath(projectId, id))
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  )
}

const Head = () => (
  <div class={classNames(lists.row, css.row, lists.head)} aria-hidden>
    <span>{reviewText.name}</span>
    <span class={lists.number}>{reviewText.heads.items}</span>
    <span class={lists.number}>{reviewText.heads.answers}</span>
    <span>{reviewText.heads.progress}</span>
    <span class={css.extra}>{reviewText.heads.who}</span>
    <span class={lists.number}>{reviewText.heads.last}</span>
  </div>
)

function Row({ projectId, queue, isCurrent }: { projectId: string; queue: ListedQueue; isCurrent: boolean }) {
  const { id, name, description, progress } = queue
  const waiting = waitingForMe(queue)
  const { items, answers, reviewers, last_answer_at } = progress
  return (
    <a class={classNames(lists.row, css.row, lists.link, isCurrent && lists.current)} href={queuePath(projectId, id)}>
      <span class={classNames(lists.name, css.name)}>
        <span dir="auto">{name}</span> {waiting > 0 && <Badge tone="accent">{reviewText.waiting(waiting)}</Badge>}
        {description !== '' && <small dir="auto">{description}</small>}
      </span>
      <span class={classNames(lists.number, css.items)}>
        {formatCount(items)}
        <span class={css.word}> {reviewText.heads.items.toLowerCase()}</span>
      </span>
      <span class={classNames(lists.number, css.answers)}>
        {formatCount(answers)}
        <span class={css.word}> {reviewText.heads.answers.toLowerCase()}</span>
      </span>
      <span class={css.progress}>
        <ProgressMeter done={wholeItems(progress)} all={items} />
      </span>
      <span class={classNames(lists.grey, css.extra)}>
        {reviewers.length === 0
          ? reviewText.nobody
          : reviewText.who(reviewers.map(({ user_id, name }) => personOf(user_id, name)))}
      </span>
      <span
        class={classNames(lists.number, lists.grey, css.last)}
        data-tip={last_answer_at === null ? undefined : formatFullTime(last_answer_at)}
      >
        {last_answer_at === null ? reviewText.noAnswer : formatAgo(last_answer_at)}
      </span>
    </a>
  )
}
