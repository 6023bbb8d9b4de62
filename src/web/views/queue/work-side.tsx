import { SlidersHorizontal } from 'lucide'
import type { ComponentProps } from 'preact'
import { Button } from '../../components/controls/button.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { ErrorState } from '../../components/states/error-state.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import type { ReviewField } from '../../review/fields.ts'
import { type ListedQueue, personOf } from '../../review/queues.ts'
import { ReviewForm } from '../../review/review-form.tsx'
import type { Work } from '../../review/use-work.ts'
import { session } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'
import layout from './item-page.module.css'
import css from './work-page.module.css'

interface WorkSideProps {
  readonly queue: ListedQueue
  readonly work: Work
  /** The form as it is read. */
  readonly form: { readonly error: unknown; readonly refetch: () => Promise<unknown> }
  readonly isFormReady: boolean
  readonly areGuidelinesShown: boolean
  readonly missing: readonly ReviewField[]
  readonly busy: boolean
  readonly hasEnded: boolean
  readonly questions: ComponentProps<typeof ReviewForm>
  readonly onGuidelines: () => void
  readonly onSetUp: () => void
  readonly onFinished: () => void
  readonly onSave: () => void
}

/** Guidelines, questions, and the button that saves. */
export function WorkSide({ queue, work, form, isFormReady, missing, questions, ...rest }: WorkSideProps) {
  const isPhone = useIsPhone()
  const { guidelines } = queue.review
  return (
    <section class={layout.side} aria-label={reviewText.formLabel}>
      {isPhone && <span class={css.handle} aria-hidden="true" />}
      <div class={layout.answers}>
        {guidelines !== '' && (
          <details class={css.guidelines} open={rest.areGuidelinesShown}>
            <summary
              onClick={(event) => {
                event.preventDefault()
                rest.onGuidelines()
              }}
            >
              {reviewText.guidelines}
            </summary>
            <Markdown text={guidelines} />
          </details>
        )}
        {work.isAnswered && <p class={css.changing}>{reviewFormText.changing}</p>}
        {form.error ? (
          <ErrorState error={form.error} retry={() => void form.refetch()} />
        ) : (
          isFormReady && (
            <>
              {queue.scorer_refs.length === 0 && <NoForm queue={queue} onSetUp={rest.onSetUp} />}
              <ReviewForm {...questions} />
              {isPhone && (
                <div class={css.more}>
                  <Button kind="quiet" onClick={rest.onFinished}>
                    {reviewFormText.finished}
                  </Button>
                </div>
              )}
            </>
          )
        )}
      </div>
      <div class={classNames(layout.save, css.save)}>
        {(!isPhone || questions.needed.size > 0) && (
          <span class={classNames(layout.missing, css.missing)}>
            {missing.length > 0 && reviewText.missing(missing.map(({ name }) => name))}
          </span>
        )}
        <Button
          kind="primary"
          hint={isPhone ? undefined : '⌘↵'}
          busy={rest.busy}
          disabled={rest.hasEnded}
          onClick={rest.onSave}
        >
          {reviewText.saveNext}
        </Button>
      </div>
    </section>
  )
}

/** What to do about a form without questions. */
function NoForm({ queue, onSetUp }: { queue: ListedQueue; onSetUp: () => void }) {
  const user = session.value
  const maySetUp = user?.role === 'admin' || user?.user_id === queue.created_by
  return (
    <div class={css.noForm}>
      <strong>{reviewFormText.noForm}</strong>
      <span>{maySetUp ? reviewFormText.noFormReason : reviewFormText.askForForm(personOf(queue.created_by))}</span>
      {maySetUp && (
        <div>
          <Button icon={SlidersHorizontal} onClick={onSetUp}>
            {reviewFormText.setUp}
          </Button>
        </div>
      )}
    </div>
  )
}
