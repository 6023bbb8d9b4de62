import { CircleCheck, SkipForward, Undo2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { type Answers, answersOf, fieldsFor, givenOf, missingIn } from '../../review/answers.ts'
import { fieldsQuery, type ReviewField } from '../../review/fields.ts'
import { orderFor } from '../../review/kinds/preference.ts'
import { spansOf, withSpan } from '../../review/kinds/spans.ts'
import { useSelectedText } from '../../review/kinds/use-selected-text.ts'
import { LeaseRing } from '../../review/lease-ring.tsx'
import { ProgressMeter } from '../../review/progress-meter.tsx'
import { type ListedQueue, refreshQueues } from '../../review/queues.ts'
import { useWork, type Work } from '../../review/use-work.ts'
import { queuePath, tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { session } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import { CallContent, readAhead } from './call-content.tsx'
import layout from './item-page.module.css'
import { LostLease } from './lost-lease.tsx'
import { useWorkKeys } from './use-work-keys.ts'
import css from './work-page.module.css'
import { WorkSide } from './work-side.tsx'

const FinishedDialog = lazyPart(() => import('../../review/finished-dialog.tsx'), { loading: () => null })
const PairContent = lazyPart(() => import('./pair-content.tsx'))
const SkipDialog = lazyPart(() => import('../../review/skip-dialog.tsx'), { loading: () => null })
const SettingsDialog = lazyPart(() => import('../../review/settings-dialog.tsx'), { loading: () => null })

const noFields: readonly ReviewField[] = []

/** Where a reviewer judges the items of a queue one after the other. */
export default function WorkPage({ projectId, queue }: { projectId: string; queue: ListedQueue }) {
  const isPhone = useIsPhone()
  const work = useWork(projectId, queue.id)
  const form = useQuery(fieldsQuery(projectId, queue.scorer_refs))
  const [at, drawAt] = useState(0)
  const atNow = useRef(0)
  const setAt = (index: number) => {
    atNow.current = index
    drawAt(index)
  }
  const [needed, setNeeded] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<'skip' | 'finished' | 'form'>()
  const [areGuidelinesShown, showGuidelines] = useState(!isPhone)
  const noteField = useRef<HTMLTextAreaElement>(null)
  const { current, next, done, hasEnded, yours, left, busy } = work
  const item = current?.item
  const pair =
    item?.compared_call_id === undefined
      ? undefined
      : orderFor([item.call_id, item.compared_call_id], item.id, session.value?.user_id ?? '')
  const fields = fieldsFor(form.data ?? noFields, pair !== undefined)
  const filledIn = (of: Work | undefined): Answers =>
    of?.answers ?? (of?.stored ? answersOf(fields, of.stored.values) : {})
  const answers = filledIn(current)
  const missing = missingIn(fields, answers)
  const isFormReady = queue.scorer_refs.length === 0 || form.data !== undefined
  const spanFields = fields.filter(({ of }) => of.kind === 'spans')
  const canMark = spanFields.length > 0 && pair === undefined
  const selected = useSelectedText(canMark)
  const id = item?.id
  useEffect(() => {
    setAt(0)
    setNeeded(new Set())
    selected.clear()
    // In a field, the keys of the next item would be typed.
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.matches('textarea, input')) activeElement.blur()
  }, [id])
  useEffect(() => {
    if (next) readAhead(projectId, next.item)
  }, [next?.item.id])
  // The pages of the queue show what was done here.
  useEffect(() => () => void refreshQueues(projectId), [projectId])
  const answer = (of: ReviewField, value: unknown) =>
    work.change({ answers: { ...filledIn(work.now()), [of.ref]: value } })
  const go = (to: number) => setAt(Math.min(fields.length - 1, Math.max(0, to)))
  const mark = (of: ReviewField | undefined, label: string | undefined) => {
    const passage = selected.now()
    if (of === undefined || label === undefined || passage === undefined) return
    answer(of, withSpan(spansOf(filledIn(work.now())[of.ref]), { ...passage, label }))
    selected.clear()
  }
  const markBy = (digit = 1) => {
    const of = spanFields.find((each) => each === fields[atNow.current]) ?? spanFields[0]
    mark(of, of?.of.kind === 'spans' ? of.of.options[digit - 1] : undefined)
  }
  const save = () => {
    if (current === undefined || hasEnded || !isFormReady || dialog !== undefined) return
    const given = filledIn(work.now())
    const lacking = missingIn(fields, given)
    if (lacking.length > 0) {
      setNeeded(new Set(lacking.map(({ ref }) => ref)))
      setAt(fields.findIndex(({ ref }) => ref === lacking[0]?.ref))
      return
    }
    void work.save(givenOf(fields, given))
  }
  const undo = () => done.length > 0 && void work.undo()
  const skip = () => current !== undefined && !hasEnded && setDialog('skip')
  const isRevealed = pair === undefined || current?.isAnswered === true
  useWorkKeys({
    field: () => fields[atNow.current],
    answers: () => filledIn(work.now()),
    pair,
    say: (value) => {
      const field = fields[atNow.current]
      if (field === undefined || value === undefined) return
      answer(field, value)
      if (field.of.kind !== 'several') go(atNow.current + 1)
    },
    mark: markBy,
    move: (by) => go(atNow.current + by),
    correct: () => document.querySelector<HTMLElement>('[data-kind=correction]')?.focus(),
    note: () => noteField.current?.focus(),
    skip,
    undo,
    list: () => setDialog('finished'),
    guidelines: () => showGuidelines(!areGuidelinesShown),
    trace: () =>
      item && isRevealed && open(tracePath(projectId, item.call_trace_id, item.call_id), '_blank', 'noopener'),
    save,
  })
  const spans = spanFields.flatMap(({ ref }) => spansOf(answers[ref]))
  return (
    <Page
      name={queue.name}
      back={{ href: queuePath(projectId, queue.id), label: queue.name }}
      title={
        <>
          <span class="cut" dir="auto">
            {queue.name}
          </span>
          {item?.position_in_queue != null && !isPhone && (
            <small class={css.place}>{reviewFormText.item(item.position_in_queue)}</small>
          )}
          {work.isRead && !work.error && (
            <small class={css.place}>
              <ProgressMeter done={yours} all={yours + left} />
            </small>
          )}
        </>
      }
      class={layout.body}
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
              <Button kind="quiet" hint="L" onClick={() => setDialog('finished')}>
                {reviewFormText.finished}
              </Button>
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
          pair === undefined ? ['Y N', reviewText.keys.yesNo] : ['A B T', reviewFormText.preferKeys],
          ['1 9', reviewText.keys.choice],
          ['↑ ↓', reviewText.keys.field],
          ...(canMark ? ([['H', reviewFormText.markShort]] as const) : []),
          ['S', reviewText.keys.skip],
          ['U', reviewText.keys.undo],
        ],
      }}
    >
      {work.error ? (
        <ErrorState error={work.error} retry={() => void work.load()} />
      ) : !work.isRead ? (
        <LoadingRows columns="2fr 1fr" rows={10} height={64} what={reviewText.readingItem} />
      ) : current === undefined || item === undefined ? (
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
          {hasEnded && <LostLease busy={busy} claimAgain={work.claimAgain} leave={work.leave} />}
          <div class={classNames(layout.columns, css.columns)}>
            <section key={id} class={layout.content} aria-label={reviewText.itemLabel} tabIndex={0}>
              {pair ? (
                <PairContent
                  projectId={projectId}
                  pair={pair}
                  preferred={answers[fields.find(({ of }) => of.kind === 'preference')?.ref ?? '']}
                  isRevealed={isRevealed}
                />
              ) : (
                <CallContent
                  projectId={projectId}
                  item={item}
                  marked={canMark ? { spans, onMark: markBy } : undefined}
                />
              )}
            </section>
            <WorkSide
              queue={queue}
              work={current}
              form={form}
              isFormReady={isFormReady}
              areGuidelinesShown={areGuidelinesShown}
              missing={missing}
              busy={busy}
              hasEnded={hasEnded}
              onGuidelines={() => showGuidelines(!areGuidelinesShown)}
              onSetUp={() => setDialog('form')}
              onFinished={() => setDialog('finished')}
              onSave={save}
              questions={{
                fields,
                answers,
                note: current.note,
                at,
                needed,
                noteField,
                judged: {
                  projectId,
                  callId: item.call_id,
                  pair,
                  passage: selected.passage,
                  onMark: mark,
                },
                onAt: setAt,
                onAnswer: answer,
                onNote: (note) => work.change({ note }),
              }}
            />
          </div>
        </>
      )}
      {dialog === 'skip' && (
        <SkipDialog
          onSkip={(reason) => {
            setDialog(undefined)
            void work.skip(reason)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'finished' && (
        <FinishedDialog
          projectId={projectId}
          queueId={queue.id}
          onOpen={(itemId) => {
            setDialog(undefined)
            void work.reopen(itemId)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'form' && (
        <SettingsDialog
          projectId={projectId}
          queue={queue}
          fields={form.data ?? noFields}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Page>
  )
}
