import type { Answers } from '../../review/answers.ts'
import { answerOfDigit } from '../../review/answers.ts'
import type { ReviewField } from '../../review/fields.ts'
import { tie } from '../../review/kinds/preference.ts'
import { useKeys } from '../../state/keys.ts'
import { reviewText } from '../../text/review.ts'
import { reviewFormText } from '../../text/review-form.ts'

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

interface WorkKeys {
  /** The current question. */
  readonly field: () => ReviewField | undefined
  readonly answers: () => Answers
  readonly pair: readonly [string, string] | undefined
  /** Answers the current question and goes to the next. */
  readonly say: (value: unknown) => void
  readonly mark: (digit: number | undefined) => void
  /** Goes so many questions further. */
  readonly move: (by: number) => void
  readonly correct: () => void
  readonly note: () => void
  readonly skip: () => void
  readonly undo: () => void
  readonly list: () => void
  readonly guidelines: () => void
  readonly trace: () => void
  readonly save: () => void
}

/** Keys of the page for reviewers. */
export function useWorkKeys({ field, answers, pair, say, mark, move, ...does }: WorkKeys): void {
  const isAt = (kind: ReviewField['of']['kind']) => field()?.of.kind === kind
  const prefer = (call: string | undefined) => isAt('preference') && say(call)
  useKeys([
    ...digits.map((digit) => ({
      keys: String(digit),
      does: reviewText.keys.option(digit),
      run: () => {
        const current = field()
        if (current?.of.kind === 'spans') mark(digit)
        else if (current) say(answerOfDigit(current, digit, answers()[current.ref]))
      },
    })),
    { keys: 'y', does: reviewText.keys.yes, run: () => isAt('boolean') && say(true) },
    { keys: 'n', does: reviewText.keys.no, run: () => isAt('boolean') && say(false) },
    { keys: 'a', does: reviewFormText.prefer[0], run: () => prefer(pair?.[0]) },
    { keys: 'b', does: reviewFormText.prefer[1], run: () => prefer(pair?.[1]) },
    { keys: 't', does: reviewFormText.tie, run: () => prefer(tie) },
    { keys: 'ArrowDown', does: reviewText.keys.nextField, run: () => move(1) },
    { keys: 'ArrowUp', does: reviewText.keys.previousField, run: () => move(-1) },
    { keys: 'h', does: reviewFormText.mark, run: () => mark(undefined) },
    { keys: 'e', does: reviewFormText.correct, run: does.correct },
    { keys: 'm', does: reviewText.keys.note, run: does.note },
    { keys: 's', does: reviewText.skipTitle, run: does.skip },
    { keys: 'u', does: reviewText.undoLong, run: does.undo },
    { keys: 'l', does: reviewFormText.finishedLong, run: does.list },
    { keys: 'Shift+G', does: reviewText.guidelines, run: does.guidelines },
    { keys: 'o', does: reviewText.openTrace, run: does.trace },
    { keys: '$mod+Enter', does: reviewText.saveNext, everywhere: true, run: does.save },
  ])
}
