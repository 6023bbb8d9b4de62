import { Check, Gauge, MessageSquareText, SmilePlus, Trash2, X } from 'lucide'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Field, inputClass } from '../../components/controls/field.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { writtenScore } from '../../format/score-type.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { canWrite, session } from '../../state/session.ts'
import { offerUndo, showError } from '../../state/toasts.ts'
import { callText } from '../../text/trace/call.ts'
import css from './feedback-tab.module.css'
import {
  addFeedback,
  type Feedback,
  newestScore,
  noteType,
  reactionType,
  removeFeedback,
  useFeedback,
} from './use-feedback.ts'

const reactions = ['👍', '👎', '❤️', '🎉', '🤔', '👀']
const noteCharsMax = 1024

interface FeedbackTabProps {
  readonly projectId: string
  readonly callId: string
}

/** Notes, reactions and scores on a call, and ways to add them. */
export default function FeedbackTab({ projectId, callId }: FeedbackTabProps) {
  const feedback = useFeedback(projectId, callId)
  if (feedback.error && !feedback.data)
    return <ErrorState error={feedback.error} retry={() => void feedback.refetch()} />
  if (!feedback.data) return <LoadingRows columns="24px 1fr 80px" rows={4} />
  return (
    <div class={css.tab}>
      {feedback.data.length === 0 && <p class={css.none}>{callText.feedbackNone}</p>}
      <ul class={css.list}>
        {feedback.data.map((item) => (
          <li key={item.id} class={css.item}>
            <span class={css.icon}>
              <Icon of={iconOf(item)} size={14} />
            </span>
            <div class={css.content}>
              <Content item={item} />
              <div class={css.by}>
                <span>{item.creator ?? item.ext_user_id ?? ''}</span>
                <span data-tip={formatFullTime(item.created_at)}>{formatAgo(item.created_at)}</span>
              </div>
            </div>
            {canWrite.value && (
              <IconButton
                of={Trash2}
                size="compact"
                iconSize={14}
                label={callText.remove}
                onClick={() => remove(projectId, callId, item)}
              />
            )}
          </li>
        ))}
      </ul>
      {canWrite.value && <AddFeedback projectId={projectId} callId={callId} />}
    </div>
  )
}

function remove(projectId: string, callId: string, item: Feedback): void {
  removeFeedback(projectId, callId, item)
    .then(() =>
      offerUndo({
        text: callText.deleted,
        undo: () => addFeedback(projectId, callId, item.feedback_type, item.payload),
      }),
    )
    .catch(showError)
}

function AddFeedback({ projectId, callId }: FeedbackTabProps) {
  const [note, setNote] = useState('')
  const [score, setScore] = useState({ name: '', value: '' })
  const [isBusy, setBusy] = useState(false)
  const add = (type: string, payload: Readonly<Record<string, unknown>>, done?: () => void) => {
    setBusy(true)
    addFeedback(projectId, callId, type, payload)
      .then(done)
      .catch(showError)
      .finally(() => setBusy(false))
  }
  const addNote = () => note.trim() !== '' && add(noteType, { note: note.trim() }, () => setNote(''))
  const [wrong, setWrong] = useState<string>()
  const addScore = async () => {
    const name = score.name.trim()
    const earlier = await newestScore(projectId, name).catch(showError)
    const value = writtenScore(score.value, earlier ?? undefined)
    setWrong(
      value === undefined ? callText.scoreType(name, typeof earlier === 'number' ? 'number' : 'boolean') : undefined,
    )
    if (value !== undefined) add(name, { value }, () => setScore({ name: '', value: '' }))
  }
  const scored = score.name.trim() !== '' && score.value.trim() !== ''
  return (
    <div class={css.add} data-keys="own">
      <div class={css.reactions} role="group" aria-label={callText.addReaction}>
        {reactions.map((emoji) => (
          <button
            key={emoji}
            type="button"
            class={css.reaction}
            disabled={isBusy}
            aria-label={`${callText.addReaction} ${emoji}`}
            onClick={() => add(reactionType, { emoji })}
          >
            {emoji}
          </button>
        ))}
      </div>
      <form
        class={css.note}
        onSubmit={(event) => {
          event.preventDefault()
          addNote()
        }}
      >
        <textarea
          class={inputClass}
          rows={3}
          maxLength={noteCharsMax}
          value={note}
          placeholder={callText.addNote}
          aria-label={callText.addNote}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) addNote()
          }}
        />
        <Button type="submit" disabled={note.trim() === ''} busy={isBusy} hint={callText.sendHint}>
          {callText.addNote}
        </Button>
      </form>
      <form
        class={css.score}
        onSubmit={(event) => {
          event.preventDefault()
          if (scored) void addScore()
        }}
      >
        <Field
          label={callText.scoreName}
          value={score.name}
          maxLength={100}
          onInput={({ currentTarget }) => setScore({ ...score, name: currentTarget.value })}
        />
        <Field
          label={callText.scoreValue}
          value={score.value}
          maxLength={100}
          error={wrong}
          onInput={({ currentTarget }) => setScore({ ...score, value: currentTarget.value })}
        />
        <Button type="submit" disabled={!scored} busy={isBusy}>
          {callText.addScore}
        </Button>
      </form>
      <p class={css.none}>{session.value && callText.signedAs(session.value.user_id)}</p>
    </div>
  )
}

function Content({ item: { feedback_type: type, payload } }: { item: Feedback }) {
  if (typeof payload['note'] === 'string') return <p class={css.text}>{payload['note']}</p>
  if (typeof payload['emoji'] === 'string') return <span class={css.emoji}>{payload['emoji']}</span>
  const value = scoreOf(payload)
  return (
    <p class={css.text}>
      <span class={css.type}>{typeName(type)}</span>
      {typeof value === 'boolean' ? (
        <span class={css.mark} data-ok={value}>
          <Icon of={value ? Check : X} size={14} /> {String(value)}
        </span>
      ) : (
        <span class={css.mark}>{shown(value)}</span>
      )}
    </p>
  )
}

/** The value of a score, wherever its kind of feedback puts it. */
function scoreOf(payload: Feedback['payload']): unknown {
  for (const name of ['value', 'output', 'score']) if (name in payload) return payload[name]
  return payload
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 500)

/** `ext.runnable.reward` is a score named reward. */
const typeName = (type: string): string => type.replace(/^ext\.(?:runnable|annotation)\./, '')

const iconOf = ({ feedback_type: type }: Feedback) =>
  type === noteType ? MessageSquareText : type === reactionType ? SmilePlus : Gauge
