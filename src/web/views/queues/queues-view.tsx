import { ListChecks, Plus } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FixedRows, type FixedRowsHandle } from '../../components/display/fixed-rows.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { QueueForm } from '../../review/queue-form.tsx'
import { createQueue, type ListedQueue, personOf, queuesQuery } from '../../review/queues.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { queuePath } from '../../state/paths.ts'
import { hiddenIds } from '../../state/pending-deletes.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewText } from '../../text/review.ts'
import css from './queues-view.module.css'

const url = urlState({ find: text(), at: number(0) })
const rowHeight = { wide: 40, phone: 62 }

/** Queues of a project, newest first. */
export default function QueuesView() {
  const projectId = useProject()
  const isPhone = useIsPhone()
  const list = useRef<FixedRowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const [isMaking, setMaking] = useState(false)
  const { data, error, refetch } = useQuery(queuesQuery(projectId))
  const { find, at } = url.values.value
  const hidden = hiddenIds.value
  const all = (data ?? []).filter(({ id }) => !hidden.has(id))
  const shown = all.filter((each) => `${each.name} ${each.description}`.toLowerCase().includes(find.toLowerCase()))
  const go = (to: number) => {
    const next = Math.min(shown.length, Math.max(1, to))
    url.replace({ at: next })
    list.current?.show(next - 1)
  }
  const open = (queue: ListedQueue | undefined) => queue && navigate(queuePath(projectId, queue.id))
  useKeys([
    { keys: 'j', does: reviewText.keys.next, run: () => go(at + 1) },
    { keys: 'k', does: reviewText.keys.previous, run: () => go(at - 1) },
    {
      keys: 'Enter',
      does: reviewText.keys.open,
      run: (event) => event.target === document.body && open(shown[at - 1]),
    },
    { keys: '/', does: reviewText.find, run: () => field.current?.focus() },
    ...(canWrite.value ? [{ keys: 'n', does: reviewText.newQueue, run: () => setMaking(true) }] : []),
  ])
  return (
    <Page
      name={reviewText.title}
      title={reviewText.title}
      class={css.body}
      actions={
        canWrite.value &&
        all.length > 0 && (
          <Button icon={Plus} hint="N" onClick={() => setMaking(true)}>
            {reviewText.newQueue}
          </Button>
        )
      }
      foot={{
        facts: data && <span>{reviewText.queuesCount(shown.length, all.length)}</span>,
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
        <EmptyState
          icon={ListChecks}
          title={reviewText.none}
          action={canWrite.value && <Button onClick={() => setMaking(true)}>{reviewText.newQueue}</Button>}
        >
          {reviewText.noneReason} {!canWrite.value && reviewText.noneReasonRead}
        </EmptyState>
      ) : (
        <>
          <div class={css.tools}>
            <SearchField
              label={reviewText.find}
              value={find}
              onType={(next) => url.replace({ find: next, at: 0 })}
              onEnter={() => open(shown[0])}
              hint="/"
              inputRef={field}
              class={css.find}
            />
          </div>
          {shown.length === 0 ? (
            <EmptyState
              icon={ListChecks}
              title={reviewText.noneFound(find)}
              action={<Button onClick={() => url.commit({ find: '' })}>{reviewText.clear}</Button>}
            />
          ) : (
            <div class={css.rows}>
              <FixedRows
                list={list}
                items={shown}
                rowHeight={isPhone ? rowHeight.phone : rowHeight.wide}
                before={isPhone ? undefined : <Head />}
                render={(queue, index) => (
                  <Row key={queue.id} projectId={projectId} queue={queue} isCurrent={index + 1 === at} />
                )}
              />
            </div>
          )}
        </>
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
  <div class={classNames(css.row, css.head)} aria-hidden>
    <span>{reviewText.name}</span>
    <span class={css.number}>{reviewText.heads.items}</span>
    <span class={css.number}>{reviewText.heads.answers}</span>
    <span>{reviewText.heads.progress}</span>
    <span class={css.extra}>{reviewText.heads.who}</span>
    <span class={css.number}>{reviewText.heads.last}</span>
  </div>
)

function Row({ projectId, queue, isCurrent }: { projectId: string; queue: ListedQueue; isCurrent: boolean }) {
  const { id, name, description, progress } = queue
  const { items, answers, finished_items, reviewers, last_answer_at } = progress
  return (
    <a class={classNames(css.row, css.link, isCurrent && css.current)} href={queuePath(projectId, id)}>
      <span class={css.name}>
        <span dir="auto">{name}</span>
        {description !== '' && <small dir="auto">{description}</small>}
      </span>
      <span class={classNames(css.number, css.items)}>
        {formatCount(items)}
        <span class={css.word}> {reviewText.heads.items.toLowerCase()}</span>
      </span>
      <span class={classNames(css.number, css.answers)}>
        {formatCount(answers)}
        <span class={css.word}> {reviewText.heads.answers.toLowerCase()}</span>
      </span>
      <span class={css.progress}>
        <ProgressMeter done={finished_items} all={items} />
      </span>
      <span class={classNames(css.grey, css.extra)}>
        {reviewers.length === 0 ? reviewText.nobody : reviewText.who(reviewers.map(({ user_id }) => personOf(user_id)))}
      </span>
      <span
        class={classNames(css.number, css.grey, css.last)}
        data-tip={last_answer_at === null ? undefined : formatFullTime(last_answer_at)}
      >
        {last_answer_at === null ? reviewText.noAnswer : formatAgo(last_answer_at)}
      </span>
    </a>
  )
}
