import { ChevronRight, CircleX, SmilePlus, StickyNote, ThumbsDown, ThumbsUp } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { joinResults, type ShownMessage } from '../call/messages/messages.ts'
import { noteType, reactionType, useFeedback } from '../call/tabs/use-feedback.ts'
import { Button } from '../components/controls/button.tsx'
import { inputClass } from '../components/controls/field.tsx'
import { Badge } from '../components/display/badge.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { formatDuration } from '../format/duration.ts'
import { lineOfError } from '../format/error.ts'
import { formatCost } from '../format/number.ts'
import { tracePath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { canWrite } from '../state/session.ts'
import { callText } from '../text/trace/call.ts'
import { threadText } from '../text/trace/thread.ts'
import { TurnMessage } from './turn-message.tsx'
import { turnMessages } from './turn-messages.ts'
import css from './turn-view.module.css'
import type { Turn } from './turns.ts'

/** The messages of a turn, from the user's on. */
function useTurnMessages(projectId: string, turn: Turn, isWanted: boolean) {
  return useQuery<readonly ShownMessage[]>({
    queryKey: ['turn', projectId, turn.id, turn.messagesId, turn.isRunning, turn.latency],
    queryFn: async ({ signal }) => joinResults(await turnMessages(projectId, turn, signal)),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

/** Reactions and notes that the turn has already. */
function Judgements({ projectId, turn }: { projectId: string; turn: Turn }) {
  const { data } = useFeedback(projectId, turn.callId)
  if (!data || data.length === 0) return null
  return (
    <>
      {data.map(({ id, payload }) => {
        const text = payload['note'] ?? payload['emoji']
        return typeof text === 'string' ? (
          <Badge key={id} icon={typeof payload['note'] === 'string' ? StickyNote : SmilePlus}>
            {text.slice(0, 80)}
          </Badge>
        ) : null
      })}
    </>
  )
}

interface NoteFormProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onSave: (note: string) => void
  readonly onClose: () => void
}

/** A field for a note on the turn. */
function NoteForm({ field, onSave, onClose }: NoteFormProps) {
  const [note, setNote] = useState('')
  useEffect(() => field.current?.focus(), [])
  const save = () => note.trim() !== '' && onSave(note.trim())
  return (
    <div class={css.note}>
      <textarea
        ref={field}
        rows={2}
        class={inputClass}
        maxLength={1024}
        value={note}
        aria-label={threadText.note}
        placeholder={callText.addNote}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button size="compact" disabled={note.trim() === ''} hint={callText.sendHint} onClick={save}>
        {threadText.noteAdd}
      </Button>
    </div>
  )
}

/** Whether an element was in view, or nearly. */
function useSeen(box: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return isSeen
}

interface TurnProps {
  readonly projectId: string
  readonly turn: Turn
  readonly isCurrent: boolean
  readonly areToolsOpen: boolean
  readonly noteField: RefObject<HTMLTextAreaElement | null>
  readonly isNoting: boolean
  readonly onPoint: () => void
  /** @param done once it is stored */
  readonly onJudge: (type: string, payload: Readonly<Record<string, unknown>>, done?: () => void) => void
  readonly onNote: (isOpen: boolean) => void
}

/** A turn of a conversation, with its latency and cost in the margin. */
export function TurnView({ projectId, turn, isCurrent, areToolsOpen, isNoting, noteField, ...on }: TurnProps) {
  const box = useRef<HTMLElement>(null)
  const isSeen = useSeen(box)
  const messages = useTurnMessages(projectId, turn, isSeen)
  return (
    <article
      ref={box}
      id={turnId(turn.number)}
      class={classNames(css.turn, isCurrent && css.current)}
      aria-label={threadText.turn(turn.number)}
      aria-current={isCurrent || undefined}
      onClick={on.onPoint}
    >
      <span class={css.number}>{turn.number}</span>
      <div class={css.talk}>
        {messages.data?.map((message, index) => (
          <TurnMessage
            key={`${index}${areToolsOpen}`}
            projectId={projectId}
            message={message}
            areToolsOpen={areToolsOpen}
          />
        ))}
        {turn.failure !== null && (
          <p class={css.failure} dir="auto">
            <Icon of={CircleX} size={14} /> {lineOfError(turn.failure)}
          </p>
        )}
        {messages.data?.length === 0 && <p class={css.nothing}>{threadText.noMessages}</p>}
        {messages.error && <p class={css.nothing}>{messages.error.message}</p>}
        {messages.isPending && <div class={css.waiting} aria-busy={messages.isFetching} />}
        {isCurrent && (
          <div class={css.judge}>
            <Judgements projectId={projectId} turn={turn} />
            {canWrite.value && (
              <>
                <Button
                  size="compact"
                  icon={ThumbsUp}
                  hint="Y"
                  onClick={() => on.onJudge(reactionType, { emoji: '👍' })}
                >
                  {threadText.good}
                </Button>
                <Button
                  size="compact"
                  icon={ThumbsDown}
                  hint="N"
                  onClick={() => on.onJudge(reactionType, { emoji: '👎' })}
                >
                  {threadText.bad}
                </Button>
                <Button size="compact" kind="quiet" icon={StickyNote} hint="M" onClick={() => on.onNote(!isNoting)}>
                  {threadText.note}
                </Button>
              </>
            )}
          </div>
        )}
        {isCurrent && isNoting && (
          <NoteForm
            field={noteField}
            onSave={(note) => {
              on.onJudge(noteType, { note }, () => on.onNote(false))
            }}
            onClose={() => on.onNote(false)}
          />
        )}
      </div>
      <dl class={css.margin}>
        <Fact name={threadText.latency} isStrong>
          {formatDuration(turn.latency)}
        </Fact>
        {turn.tools > 0 && (
          <Fact name={threadText.tools}>{threadText.toolsOf(turn.tools, formatDuration(turn.toolMs))}</Fact>
        )}
        {!Number.isNaN(turn.cost) && <Fact name={threadText.cost}>{formatCost(turn.cost)}</Fact>}
        {turn.errors > 0 && (
          <Fact name={threadText.errors}>
            <span class={css.errors}>{turn.errors}</span>
          </Fact>
        )}
        <div class={css.open}>
          <dt class="sr-only">{threadText.openTrace}</dt>
          <dd>
            <a href={tracePath(projectId, turn.traceId, turn.messagesId ?? turn.callId)}>
              {threadText.openTrace}
              <Icon of={ChevronRight} size={14} />
            </a>
          </dd>
        </div>
      </dl>
    </article>
  )
}

/** Id of the element of a turn. */
export const turnId = (number: number): string => `turn-${number}`

const Fact = ({ name, isStrong = false, children }: FactProps) => (
  <div class={classNames(css.fact, isStrong && css.strong)}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface FactProps {
  readonly name: string
  readonly isStrong?: boolean
  readonly children: ComponentChildren
}
