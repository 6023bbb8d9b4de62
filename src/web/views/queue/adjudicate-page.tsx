import { CircleCheck, SkipForward, Undo2 } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { AgreedAnswer, AnswerChoice, answersTo, otherAnswers } from '../../agreement/answer-choice.tsx'
import { disagreementsIn, judgementsQuery } from '../../agreement/judgements.ts'
import { useDecisions } from '../../agreement/use-decisions.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { inputClass } from '../../components/controls/field.tsx'
import { KeyHint } from '../../components/controls/key-hint.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { Page } from '../../page/page.tsx'
import { fieldsQuery, type ReviewField } from '../../review/fields.ts'
import { type ListedQueue, refreshQueues } from '../../review/queues.ts'
import { useKeys } from '../../state/keys.ts'
import { queuePath, tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { agreementText as words } from '../../text/agreement.ts'
import { reviewText } from '../../text/review.ts'
import css from './adjudicate-page.module.css'
import { CallContent, readAhead } from './call-content.tsx'
import layout from './item-page.module.css'

const PairContent = lazyPart(() => import('./pair-content.tsx'))

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const noFields: readonly ReviewField[] = []

/** Where somebody decides the items on which reviewers disagree, one after the other. */
export default function AdjudicatePage({ projectId, queue }: { projectId: string; queue: ListedQueue }) {
  const isPhone = useIsPhone()
  const form = useQuery(fieldsQuery(projectId, queue.scorer_refs))
  const judged = useQuery({ ...judgementsQuery(projectId, queue.id), refetchOnWindowFocus: false })
  const fields = form.data ?? noFields
  const disagreements = useMemo(
    () => disagreementsIn(judged.data ?? [], fields, queue.review.reviewers_per_item),
    [judged.data, fields, queue.review.reviewers_per_item],
  )
  const work = useDecisions(projectId, queue.id, disagreements)
  const { current, choices, busy, decided } = work
  const id = current?.judged.item.id
  const [at, setAt] = useState(0)
  const [other, setOther] = useState('')
  const reasonField = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    setAt(0)
    setOther('')
    // In a field, the keys of the next item would be typed.
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.matches('textarea, input')) activeElement.blur()
  }, [id])
  const nextItem = disagreements[(current ? disagreements.indexOf(current) : -1) + 1]?.judged.item
  useEffect(() => {
    if (nextItem) readAhead(projectId, nextItem)
  }, [nextItem?.id])
  // The pages of the queue show what was decided here.
  useEffect(() => () => void refreshQueues(projectId), [projectId])
  const needed = current?.fields ?? noFields
  const differing = current ? fields.filter((each) => needed.includes(each) || current.texts.includes(each)) : noFields
  const isLeft = (each: ReviewField) => needed.includes(each) && !choices.values.has(each.ref)
  const left = needed.filter(isLeft).length
  const field = differing[at]
  const isReady = judged.data !== undefined && (queue.scorer_refs.length === 0 || form.data !== undefined)
  const choose = (of: ReviewField, value: unknown, movesOn: boolean) => {
    work.choose(of.ref, value)
    if (movesOn) setAt(Math.min(differing.length - 1, differing.indexOf(of) + 1))
  }
  const take = (digit: number) => {
    if (field === undefined || current === undefined) return
    const answers = answersTo(current.judged, field)
    const hasOther = otherAnswers(field, answers) !== null
    const answer = answers[digit - 1]
    if (answer) {
      setOther('')
      choose(field, answer.value, true)
    } else if (hasOther && digit === answers.length + 1) setOther(field.ref)
    else if (digit === answers.length + (hasOther ? 2 : 1)) {
      setOther('')
      choose(field, null, true)
    }
  }
  const decide = (replace: boolean) => {
    if (current === undefined || busy) return
    if (left > 0) setAt(differing.findIndex(isLeft))
    else void work.decide(replace)
  }
  const move = (to: number) => setAt(Math.min(differing.length - 1, Math.max(0, to)))
  const mayDecide = canWrite.value
  useKeys([
    ...(mayDecide
      ? [
          ...digits.map((digit) => ({
            keys: String(digit),
            does: words.keys.take(digit),
            run: () => take(digit),
          })),
          { keys: 'm', does: words.keys.reason, run: () => reasonField.current?.focus() },
          { keys: 'u', does: words.keys.undo, run: () => void work.undo() },
          { keys: '$mod+Enter', does: words.decideNext, everywhere: true, run: () => decide(false) },
        ]
      : []),
    { keys: 's', does: words.keys.skip, run: work.skip },
    { keys: 'ArrowDown', does: reviewText.keys.nextField, run: () => move(at + 1) },
    { keys: 'ArrowUp', does: reviewText.keys.previousField, run: () => move(at - 1) },
    {
      keys: 'o',
      does: reviewText.openTrace,
      run: () => {
        if (current === undefined) return
        const { call_trace_id, call_id } = current.judged.item
        open(tracePath(projectId, call_trace_id, call_id), '_blank', 'noopener')
      },
    },
  ])
  const back = { href: queuePath(projectId, queue.id), label: queue.name }
  const error = judged.error ?? form.error
  return (
    <Page
      name={queue.name}
      back={back}
      title={
        <>
          <span class="cut" dir="auto">
            {queue.name}
          </span>
          {!isPhone && <Badge>{words.deciding}</Badge>}
          {current && (
            <small class={css.place}>
              {!isPhone && `${words.itemNumber(current.judged.item.position_in_queue)} `}
              <span class={css.bar} aria-hidden="true">
                <span style={{ width: `${(100 * decided) / Math.max(1, disagreements.length)}%` }} />
              </span>
              {words.decidedOf(decided, disagreements.length)}
            </small>
          )}
        </>
      }
      class={layout.body}
      actions={
        current && (
          <>
            {!isPhone && mayDecide && <span class={css.hidden}>{words.hidden}</span>}
            {isPhone ? (
              <>
                {mayDecide && (
                  <IconButton
                    of={Undo2}
                    label={words.undo}
                    disabled={!work.canUndo || busy}
                    onClick={() => void work.undo()}
                  />
                )}
                <IconButton of={SkipForward} label={words.skip} onClick={work.skip} />
              </>
            ) : (
              <>
                {mayDecide && (
                  <Button
                    kind="quiet"
                    icon={Undo2}
                    hint="U"
                    disabled={!work.canUndo || busy}
                    onClick={() => void work.undo()}
                  >
                    {words.undo}
                  </Button>
                )}
                <Button hint="S" onClick={work.skip}>
                  {words.skip}
                </Button>
              </>
            )}
          </>
        )
      }
      foot={{
        facts: <span>{words.kept}</span>,
        keys: [
          ...(mayDecide ? ([['1 2', words.keys.takeShort]] as const) : []),
          ['↑ ↓', reviewText.keys.field],
          ['S', reviewText.keys.skip],
          ...(mayDecide ? ([['U', reviewText.keys.undo]] as const) : []),
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void Promise.all([judged.refetch(), form.refetch()])} />
      ) : !isReady ? (
        <LoadingRows columns="2fr 1fr" rows={10} height={64} what={words.reading} />
      ) : current === undefined ? (
        <EmptyState
          icon={CircleCheck}
          title={disagreements.length === 0 ? words.nothingToDecide : words.allDecided(disagreements.length)}
          action={<a href={back.href}>{words.openQueue}</a>}
        >
          {disagreements.length === 0 && words.nothingReason}
        </EmptyState>
      ) : (
        <>
          {work.hasConflict && (
            <Banner
              action={
                <span class={css.conflict}>
                  <Button kind="quiet" busy={busy} onClick={() => decide(true)}>
                    {words.decideAnyway}
                  </Button>
                  <Button kind="quiet" disabled={busy} onClick={work.skip}>
                    {words.nextItem}
                  </Button>
                </span>
              }
            >
              {words.alreadyDecided}
            </Banner>
          )}
          <div class={classNames(layout.columns, css.columns)}>
            <section key={id} class={layout.content} aria-label={reviewText.itemLabel} tabIndex={0}>
              {current.judged.item.compared_call_id === undefined ? (
                <CallContent projectId={projectId} item={current.judged.item} marked={undefined} />
              ) : (
                <PairContent
                  projectId={projectId}
                  pair={[current.judged.item.call_id, current.judged.item.compared_call_id]}
                  preferred={undefined}
                  isRevealed={false}
                />
              )}
            </section>
            <section class={layout.side} aria-label={words.formLabel}>
              <div key={id} class={layout.answers} tabIndex={0}>
                {fields.map((each) => {
                  const index = differing.indexOf(each)
                  if (index < 0) return <AgreedAnswer key={each.ref} field={each} judged={current.judged} />
                  return (
                    <AnswerChoice
                      key={each.ref}
                      field={each}
                      answers={answersTo(current.judged, each)}
                      isCurrent={index === at && mayDecide}
                      isChosen={choices.values.has(each.ref)}
                      isOptional={!needed.includes(each)}
                      value={choices.values.get(each.ref)}
                      isOther={other === each.ref}
                      onChoose={mayDecide ? (value) => choose(each, value, other !== each.ref) : undefined}
                      onOther={() => setOther(each.ref)}
                      onFocus={() => setAt(index)}
                    />
                  )
                })}
                {mayDecide && (
                  <label class={css.reason}>
                    <span>
                      {words.reason} <small>{words.reasonHint}</small> {!isPhone && <KeyHint keys="M" />}
                    </span>
                    <textarea
                      ref={reasonField}
                      class={classNames(inputClass, css.text)}
                      rows={2}
                      maxLength={1_024}
                      placeholder={words.reasonPlaceholder}
                      value={choices.reason}
                      onInput={(event) => work.setReason(event.currentTarget.value)}
                    />
                  </label>
                )}
              </div>
              <div class={layout.save}>
                <span class={layout.missing}>{mayDecide ? words.fieldsLeft(left, needed.length) : words.readOnly}</span>
                {mayDecide && (
                  <Button kind="primary" hint={isPhone ? undefined : '⌘↵'} busy={busy} onClick={() => decide(false)}>
                    {words.decideNext}
                  </Button>
                )}
              </div>
            </section>
          </div>
        </>
      )}
    </Page>
  )
}
