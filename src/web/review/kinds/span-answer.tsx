import { X } from 'lucide'
import { IconButton } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { useIsPhone } from '../../state/use-media.ts'
import { reviewFormText } from '../../text/review-form.ts'
import formCss from '../review-form.module.css'
import css from './answers.module.css'
import { type Passage, type Span, withSpan } from './spans.ts'

interface SpanAnswerProps {
  readonly labels: readonly string[]
  readonly spans: readonly Span[]
  /** What is selected in the item. */
  readonly passage: Passage | undefined
  readonly onMark: (label: string) => void
  readonly onChange: (spans: readonly Span[]) => void
}

/** Labels to mark the selected text with, and what was marked. */
export default function SpanAnswer({ labels, spans, passage, onMark, onChange }: SpanAnswerProps) {
  const unselected = useIsPhone() ? reviewFormText.selectFirstPhone : reviewFormText.selectFirst
  return (
    <>
      <div class={formCss.options}>
        {labels.map((label, index) => (
          <button
            key={label}
            type="button"
            class={formCss.option}
            disabled={passage === undefined}
            // The selection stays while the button is pressed.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onMark(label)}
          >
            <span class={formCss.key} aria-hidden="true">
              {index + 1}
            </span>
            <span dir="auto">{label}</span>
          </button>
        ))}
      </div>
      <p class={css.hint}>{passage === undefined ? unselected : reviewFormText.selected(passage.text)}</p>
      {spans.length > 0 && (
        <ul class={css.spans}>
          {spans.map((span) => (
            <li key={`${span.path} ${span.start} ${span.end} ${span.label}`} class={css.span}>
              <Badge tone="warn">{span.label}</Badge>
              <span class="cut" dir="auto">
                {span.text}
              </span>
              <small class={css.count}>{reviewFormText.characters(span.end - span.start)}</small>
              <IconButton
                of={X}
                size="compact"
                label={reviewFormText.unmark(span.label, span.text)}
                onClick={() => onChange(withSpan(spans, span))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
