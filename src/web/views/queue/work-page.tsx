import { CircleCheck, SkipForward, Undo2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { Page } from '../../page/page.tsx'
import { answerOfDigit, givenOf, missingIn } from '../../review/answers.ts'
import { fieldsQuery, type ReviewField } from '../../review/fields.ts'
import { LeaseRing } from '../../review/lease-ring.tsx'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { type ListedQueue, refreshQueues } from '../../review/queues.ts'
import { ReviewForm } from '../../review/review-form.tsx'
import { SkipDialog } from '../../review/skip-dialog.tsx'
import { useWork } from '../../review/use-work.ts'
import { useKeys } from '../../state/keys.ts'
import { queuePath, tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewText } from '../../text/review.ts'
import { CallContent, readAhead } from './call-content.tsx'
import css from './work-page.module.css'

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const noFields: readonly ReviewField[] = []

/** Where a reviewer judges the items of a queue one after the other. */
export default function WorkPage({ projectId, queue }: { projectId: string; queue: ListedQueue }) {
  const isPhone = useIsPhone()
  const work = useWork(projectId, queue.id)
  const form = useQuery(fieldsQuery(projectId, queue.scorer_refs))
  const fields = form.data ?? noFields
  const [at, setAt] = useState(0)
  const [needed, setNeeded] = useState<ReadonlySet<string>>(new Set())
  const [isSkipping, setSkipping] = useState(false)
  const [areGuidelinesShown, showGuidelines] = useState(true)
  const noteField = useRef<HTMLTextAreaElement>(null)
  const { current, next, done, hasEnded, yours, left, busy } = work
  const answers = current?.answers ?? {}
  const missing = missingIn(fields, answers)
  const isFormReady = queue.scorer_refs.length === 0 || form.data !== undefined
  const id = current?.item.id
  useEffect(() => {
    setAt(0)
    setNeeded(new Set())
    // In a field, the keys of the next item would be typed.
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.matches('textarea, input')) activeElement.blur()
  }, [id])
  useEffect(() => {
    if (next) readAhead(projectId, next.item)
  }, [next?.item.id])
  // The pages of the queue show what was done here.
  useEffect(() => () => void refreshQueues(projectId), [projectId])
  const field = fields[at]
  const answer = (of: ReviewField, value: unknown) => work.change({ answers: { ...answers, [of.ref]: value } })
  const move = (to: number) => setAt(Math.min(fields.length - 1, Math.max(0, to)))
  const say = (value: unknown) => {
    if (field === undefined || value === undefined) return
    answer(field, value)
    if (field.of.kind !== 'several') move(at + 1)
  }
  const save = () => {
    if (current === undefined || hasEnded || busy || !isFormReady) return
    if (missing.length > 0) {
      setNeeded(new Set(missing.map(({ ref }) => ref)))
      setAt(fields.findIndex(({ ref }) => ref === missing[0]?.ref))
      return
    }
    void work.save(givenOf(fields, answers))
  }
  const undo = () => done.length > 0 && !busy && void work.undo()
  const skip = () => current !== undefined && !hasEnded && setSkipping(true)
  useKeys([
    ...digits.map((digit) => ({
      keys: String(digit),
      does: reviewText.keys.option(digit),
      run: () => field && say(answerOfDigit(field, digit, answers[field.ref])),
    })),
    { keys: 'y', does: reviewText.keys.yes, run: () => field?.of.kind === 'boolean' && say(true) },
    { keys: 'n', does: reviewText.keys.no, run: () => field?.of.kind === 'boolean' && say(false) },
    { keys: 'ArrowDown', does: reviewText.keys.nextField, run: () => move(at + 1) },
    { keys: 'ArrowUp', does: reviewText.keys.previousField, run: () => move(at - 1) },
    { keys: 'm', does: reviewText.keys.note, run: () => noteField.current?.focus() },
    { keys: 's', does: reviewText.skipTitle, run: skip },
    { keys: 'u', does: reviewText.undoLong, run: undo },
    { keys: 'g', does: reviewText.guidelines, run: () => showGuidelines(!areGuidelinesShown) },
    {
      keys: 'o',
      does: reviewText.openTrace,
      run: () =>
        current && open(tracePath(projectId, current.item.call_trace_id, current.item.call_id), '_blank', 'noopener'),
    },
    { keys: '$mod+Enter', does: reviewText.saveNext, everywhere: true, run: save },
  ])
  return (
    <Page
      name={queue.name}
      back={{ href: queuePath(projectId, queue.id), label: queue.name }}
      title={
        <>
          <span class="cut" dir="auto">
            {queue.name}
          </span>
          {work.isRead && !work.error && (
            <small class={css.place}>
              <ProgressMeter done={yours} all={yours + left} />
            </small>
          )}
        </>
      }
      class={css.body}
      actions={
        <>
          {current && !hasEnded && <LeaseRing until={current.expires_at} seconds={current.lease_seconds} />}
          {isPhone ? (
            <>
              <IconButton of={Undo2} label={reviewText.undo} disabled={done.length === 0 || busy} onClick={undo} />
              <IconButton of={SkipForward} label={reviewText.skip} disabled={!current || hasEnded} onClick={skip} />
            </>
          ) : (
            <>
              <Button kind="quiet" icon={Undo2} hint="U" disabled={done.length === 0 || busy} onClick={undo}>
                {reviewText.undo}
              </Button>
              <Button hint="S" disabled={!current || hasEnded} onClick={skip}>
                {reviewText.skip}
              </Button>
            </>
          )}
        </>
      }
      foot={{
        facts: (
          <>
            <span>{reviewText.othersHidden}</span>
            {next && <span>{reviewText.nextLoaded}</span>}
          </>
        ),
        keys: [
          ['Y N', reviewText.keys.yesNo],
          ['1 9', reviewText.keys.choice],
          ['↑ ↓', reviewText.keys.field],
          ['S', reviewText.keys.skip],
          ['U', reviewText.keys.undo],
        ],
      }}
    >
      {work.error ? (
        <ErrorState error={work.error} retry={() => void work.load()} />
      ) : !work.isRead ? (
        <LoadingRows columns="2fr 1fr" rows={10} height={64} what={reviewText.readingItem} />
      ) : current === undefined ? (
        <EmptyState
          icon={CircleCheck}
          title={left === 0 ? reviewText.allDone : reviewText.nothingFree}
          action={
            left === 0 ? (
              <a href={queuePath(projectId, queue.id)}>{reviewText.openQueue}</a>
            ) : (
              <Button onClick={() => void work.load()}>{reviewText.lookAgain}</Button>
            )
          }
        >
          {left === 0 ? reviewText.allDoneReason(yours) : reviewText.nothingFreeReason(left)}
        </EmptyState>
      ) : (
        <>
          {hasEnded && (
            <Banner
              action={
                <span class={css.lost}>
                  <Button kind="quiet" busy={busy} onClick={() => void work.claimAgain()}>
                    {reviewText.claimAgain}
                  </Button>
                  <Button kind="quiet" disabled={busy} onClick={() => void work.leave()}>
                    {reviewText.leaveItem}
                  </Button>
                </span>
              }
            >
              {reviewText.leaseEnded}
            </Banner>
          )}
          <div class={css.columns}>
            <section key={id} class={css.content} aria-label={reviewText.itemLabel} tabIndex={0}>
              <CallContent projectId={projectId} item={current.item} />
            </section>
            <section class={css.side} aria-label={reviewText.formLabel}>
              <div class={css.answers}>
                {queue.review.guidelines !== '' && (
                  <details class={css.guidelines} open={areGuidelinesShown}>
                    <summary
                      onClick={(event) => {
                        event.preventDefault()
                        showGuidelines(!areGuidelinesShown)
                      }}
                    >
                      {reviewText.guidelines}
                    </summary>
                    <Markdown text={queue.review.guidelines} />
                  </details>
                )}
                {form.error ? (
                  <ErrorState error={form.error} retry={() => void form.refetch()} />
                ) : (
                  isFormReady && (
                    <ReviewForm
                      fields={fields}
                      answers={answers}
                      note={current.note}
                      at={at}
                      needed={needed}
                      noteField={noteField}
                      onAt={setAt}
                      onAnswer={answer}
                      onNote={(note) => work.change({ note })}
                    />
                  )
                )}
              </div>
              <div class={css.save}>
                <span class={css.missing}>
                  {missing.length > 0 && reviewText.missing(missing.map(({ name }) => name))}
                </span>
                <Button kind="primary" hint={isPhone ? undefined : '⌘↵'} busy={busy} disabled={hasEnded} onClick={save}>
                  {reviewText.saveNext}
                </Button>
              </div>
            </section>
          </div>
        </>
      )}
      {isSkipping && (
        <SkipDialog
          onSkip={(reason) => {
            setSkipping(false)
            void work.skip(reason)
          }}
          onClose={() => setSkipping(false)}
        />
      )}
    </Page>
  )
}
