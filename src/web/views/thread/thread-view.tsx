import { MessageSquareOff, Radio } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { itemAt } from '../../../lib/present.ts'
import { addFeedback, reactionType } from '../../call/tabs/use-feedback.ts'
import { Button } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LiveDot } from '../../components/states/live-dot.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { shortId } from '../../format/ids.ts'
import { formatCount } from '../../format/number.ts'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { flag, number } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useMedia } from '../../state/use-media.ts'
import { threadText } from '../../text/trace/thread.ts'
import { ThreadScores } from '../../thread/thread-scores.tsx'
import { ThreadSide } from '../../thread/thread-side.tsx'
import { TurnView, turnId } from '../../thread/turn-view.tsx'
import { turnsOf } from '../../thread/turns.ts'
import { useThread } from '../../thread/use-thread.ts'
import css from './thread-view.module.css'

const ThreadLogs = lazyPart(() => import('../../thread/thread-logs.tsx'))
const ThreadMetrics = lazyPart(() => import('../../thread/thread-metrics.tsx'))

/** Turns that are shown at once, the last ones. */
const turnsAtFirst = 200

const url = urlState({ turn: number(0), still: flag() })

/** A thread as a conversation. */
export default function ThreadView() {
  const { params } = useRoute()
  const projectId = useProject()
  const threadId = params['thread'] ?? ''
  const { turn: current, still } = url.values.value
  const isLive = !still
  const thread = useThread(projectId, threadId, isLive)
  const turns = useMemo(() => turnsOf(thread.data ?? [], Date.now()), [thread.data])
  const [areToolsOpen, openTools] = useState(false)
  const [isNoting, setNoting] = useState(false)
  const [shown, setShown] = useState(turnsAtFirst)
  const hasSide = useMedia('(min-width: 1081px)')
  const noteField = useRef<HTMLTextAreaElement>(null)

  const go = (to: number) => {
    const next = Math.min(turns.length, Math.max(1, to))
    if (next < 1) return
    setNoting(false)
    url.replace({ turn: next })
    document.getElementById(turnId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const judge = (type: string, payload: Readonly<Record<string, unknown>>, done?: () => void) => {
    const turn = turns[current - 1]
    if (!turn) return
    addFeedback(projectId, turn.callId, type, payload)
      .then(() => {
        showToast({ kind: 'done', text: said(type, payload) })
        done?.()
      })
      .catch(showError)
  }
  const react = (emoji: string) => canWrite.value && judge(reactionType, { emoji })
  const open = () => {
    const turn = turns[current - 1]
    if (turn) navigate(tracePath(projectId, turn.traceId, turn.messagesId ?? turn.callId))
  }
  useKeys([
    { keys: 'j', does: threadText.keys.next, run: () => go(current + 1) },
    { keys: 'k', does: threadText.keys.previous, run: () => go(current - 1) },
    { keys: 'Enter', does: threadText.keys.openTrace, run: (event) => event.target === document.body && open() },
    { keys: 't', does: threadText.keys.unfold, run: () => openTools(!areToolsOpen) },
    { keys: 'y', does: threadText.keys.good, run: () => react('👍') },
    { keys: 'n', does: threadText.keys.bad, run: () => react('👎') },
    { keys: 'm', does: threadText.keys.note, run: () => canWrite.value && current > 0 && setNoting(true) },
  ])
  // A link to a turn shows it.
  const isPlaced = useRef(false)
  useEffect(() => {
    if (isPlaced.current || turns.length === 0) return
    isPlaced.current = true
    if (current > 0) document.getElementById(turnId(current))?.scrollIntoView({ block: 'center' })
  }, [turns.length])

  const first = Math.max(0, turns.length - shown)
  return (
    <Page
      name={threadId}
      class={css.body}
      back={{ href: viewPath(projectId, 'threads'), label: threadText.back }}
      title={
        <>
          <span class="cut">{shortId(threadId, 40)}</span>
          <span class={css.what}>{threadText.name}</span>
          <CopyButton text={threadId} label={threadText.copyId} />
        </>
      }
      actions={
        <Button icon={isLive ? undefined : Radio} pressed={isLive} onClick={() => url.commit({ still: isLive })}>
          {isLive && <LiveDot />}
          {threadText.live}
        </Button>
      }
      foot={{
        facts: (
          <>
            <span>{isLive ? threadText.liveOn : threadText.liveOff}</span>
            {thread.data && <span>{threadText.turnsCount(formatCount(turns.length))}</span>}
          </>
        ),
        keys: [
          ['J K', threadText.keys.turn],
          ['↵', threadText.keys.open],
          ['T', threadText.keys.tools],
          ...(canWrite.value ? [['Y N', threadText.keys.judge] as const] : []),
        ],
      }}
    >
      {thread.error && !thread.data ? (
        <ErrorState error={thread.error} retry={() => void thread.refetch()} />
      ) : !thread.data ? (
        <LoadingRows columns="64px 2fr 132px" rows={8} height={72} what={threadText.reading} />
      ) : turns.length === 0 ? (
        <EmptyState
          icon={MessageSquareOff}
          title={threadText.noThread}
          action={<a href={viewPath(projectId, 'threads')}>{threadText.openList}</a>}
        >
          {threadText.noThreadReason(threadId)}
        </EmptyState>
      ) : (
        <>
          <div class={css.talk}>
            {first > 0 && (
              <div class={css.earlier}>
                <Button kind="quiet" onClick={() => setShown(shown + turnsAtFirst)}>
                  {threadText.earlier(Math.min(first, turnsAtFirst))}
                </Button>
              </div>
            )}
            {turns.slice(first).map((turn) => (
              <TurnView
                key={turn.id}
                projectId={projectId}
                turn={turn}
                isCurrent={turn.number === current}
                areToolsOpen={areToolsOpen}
                isNoting={isNoting}
                noteField={noteField}
                onPoint={() => turn.number !== current && url.replace({ turn: turn.number })}
                onJudge={judge}
                onNote={setNoting}
              />
            ))}
          </div>
          {hasSide && (
            <ThreadSide
              turns={turns}
              current={current}
              onOpen={go}
              scores={
                <>
                  <ThreadScores projectId={projectId} calls={thread.data} />
                  <ThreadMetrics
                    projectId={projectId}
                    threadId={threadId}
                    since={itemAt(turns, 0).startedAt}
                    isLive={isLive}
                  />
                  <ThreadLogs projectId={projectId} threadId={threadId} />
                </>
              }
            />
          )}
        </>
      )}
    </Page>
  )
}

function said(type: string, payload: Readonly<Record<string, unknown>>): string {
  if (type !== reactionType) return threadText.noteSaved
  return payload['emoji'] === '👍' ? threadText.judgedGood : threadText.judgedBad
}
