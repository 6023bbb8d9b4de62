import { Link, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { post } from '../api/client.ts'
import { fileUrl } from '../api/file-url.ts'
import { sharedLink } from '../base.ts'
import { IconButton } from '../components/controls/button.tsx'
import { Tabs } from '../components/controls/tabs.tsx'
import { Badge } from '../components/display/badge.tsx'
import { KindIcon } from '../components/display/kind-icon.tsx'
import { kindOf as knownKind } from '../components/display/kinds.ts'
import { StatusBadge } from '../components/display/status-badge.tsx'
import { statusOf as knownStatus } from '../components/display/statuses.ts'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { formatDuration } from '../format/duration.ts'
import { opName, opRef } from '../format/ids.ts'
import { formatCost, formatCount, formatShort } from '../format/number.ts'
import { formatFullTime } from '../format/time.ts'
import { FileAddress } from '../json/file-box.tsx'
import { tracePath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { usageText } from '../text/parts.ts'
import { callText } from '../text/trace/call.ts'
import { traceText } from '../text/trace/trace.ts'
import { kindOf, nameOf, type Skeleton } from '../trace/skeleton.ts'
import { type CallTab, traceUrl } from '../trace/trace-url.ts'
import css from './call-panel.module.css'
import type { CallMessages } from './messages/messages.ts'
import { ChatTab } from './tabs/chat-tab.tsx'
import { IoTab } from './tabs/io-tab.tsx'
import { PayloadTab } from './tabs/payload-tab.tsx'
import { UsageBar, usageOf } from './tabs/usage-bar.tsx'
import { useFeedback } from './tabs/use-feedback.ts'
import { type CallFacts, useCall } from './use-call.ts'

const CallActions = lazyPart(() => import('./call-actions.tsx'), { loading: () => null })

const DatasetRows = lazyPart(() => import('./dataset-rows.tsx'), { loading: () => null })

const ExceptionCard = lazyPart(() => import('./exception-card.tsx'), { loading: () => null })

const CodeTab = lazyPart(() => import('./tabs/code-tab.tsx'))
const CostTab = lazyPart(() => import('./tabs/cost-tab.tsx'))
const FeedbackTab = lazyPart(() => import('./tabs/feedback-tab.tsx'))
const RawTab = lazyPart(() => import('./tabs/raw-tab.tsx'))

const panelId = 'call-tab'
/** Longer ids of turns say nothing to the eye. */
const turnCharsMax = 12

interface CallPanelProps {
  readonly projectId: string
  readonly skeleton: Skeleton
  readonly callId: string
  /** Row of the call; -1 where the trace has not sent it yet. */
  readonly row: number
  readonly now: number
  readonly onSelect: (row: number) => void
  readonly onClose: (() => void) | undefined
}

/** Everything about one call. */
export function CallPanel({ projectId, skeleton, callId, row: known, now, onClose }: CallPanelProps) {
  const row = known >= 0 ? known : skeleton.ids.indexOf(callId)
  const isRunning = row >= 0 && Number.isNaN(skeleton.duration(row))
  const call = useCall(projectId, callId, isRunning)
  const feedback = useFeedback(projectId, callId)
  const chat = useQuery<CallMessages>({
    queryKey: ['messages', projectId, callId, isRunning],
    queryFn: ({ signal }) => post('/call/messages', { project_id: projectId, call_id: callId }, { signal }),
    gcTime: 60_000,
  })
  const hasChat = (chat.data?.messages.length ?? 0) > 0
  const wanted = traceUrl.values.value.tab
  const tab = shownTab(wanted, hasChat, chat.isPending)
  const name = row >= 0 ? nameOf(skeleton, row) : opName(call.data?.op_name ?? callId)
  const usage = row >= 0 ? usageOf(skeleton, row) : undefined
  const copyLink = () => {
    navigator.clipboard
      .writeText(addressOf(projectId, skeleton.traceId, callId))
      .then(() => showToast({ kind: 'done', text: callText.linkCopied }))
      .catch(showError)
  }
  const shared = { projectId, callId }
  const turn = call.data?.turn_id
  const isEnded = !isRunning
  return (
    <FileAddress.Provider value={(digest) => fileUrl(projectId, digest)}>
      <div class={css.panel} data-keys="own">
        <header class={css.head}>
          <KindIcon kind={knownKind(row >= 0 ? kindOf(skeleton, row) : undefined)} />
          <h2 class={css.name} title={name}>
            {name}
          </h2>
          {row >= 0 && <StatusBadge status={knownStatus(skeleton.statuses[skeleton.status(row)])} />}
          {turn && turn.length <= turnCharsMax && <Badge tone="outline">{callText.turn(turn)}</Badge>}
          <span class={css.actions}>
            {sharedLink === undefined && (
              <CallActions
                projectId={projectId}
                traceId={skeleton.traceId}
                callId={callId}
                name={name}
                hasChat={hasChat}
                otherId={sameOpBefore(skeleton, row)}
                isRoot={row === 0}
              />
            )}
            <IconButton of={Link} size="compact" label={traceText.copyLink} onClick={copyLink} />
            {onClose && <IconButton of={X} size="compact" label={traceText.closeCall} onClick={onClose} />}
          </span>
        </header>
        {row >= 0 && <Figures skeleton={skeleton} row={row} now={now} call={call.data ?? undefined} />}
        {sharedLink === undefined && <DatasetRows projectId={projectId} callId={callId} />}
        <div class={css.tabs}>
          <Tabs
            tabs={[
              ...(hasChat || tab === 'chat' ? [{ id: 'chat' as const, label: callText.chat }] : []),
              { id: 'io' as const, label: callText.io },
              { id: 'inputs' as const, label: callText.inputs },
              { id: 'output' as const, label: callText.output },
              { id: 'attributes' as const, label: callText.attributes },
              { id: 'feedback' as const, label: callText.feedback, count: feedback.data?.length || undefined },
              { id: 'cost' as const, label: callText.cost },
              ...(call.data && hasCode(call.data) ? [{ id: 'code' as const, label: callText.code }] : []),
              { id: 'raw' as const, label: callText.raw },
            ]}
            current={tab}
            onSelect={(next) => traceUrl.replace({ tab: next })}
            label={callText.tabs}
            panelId={panelId}
          />
        </div>
        <div
          id={panelId}
          role="tabpanel"
          aria-label={callText.tabs}
          aria-busy={tab === 'chat' && chat.isPending}
          class={css.body}
          tabIndex={-1}
        >
          {call.data?.exception && (tab === 'chat' || tab === 'io' || tab === 'output') && (
            <ExceptionCard text={call.data.exception} />
          )}
          {tab === 'chat' && chat.data && (
            <ChatTab
              projectId={projectId}
              chat={chat.data}
              skeleton={skeleton}
              row={row}
              tokensOut={usage && usage.out > 0 ? callText.tokens(formatCount(usage.out)) : undefined}
            />
          )}
          {tab === 'io' && <IoTab {...shared} isEnded={isEnded} />}
          {tab === 'inputs' && <PayloadTab key={tab} {...shared} path="inputs" name={callText.inputs} isEnded />}
          {tab === 'output' && (
            <PayloadTab key={tab} {...shared} path="output" name={callText.output} isEnded={isEnded} />
          )}
          {tab === 'attributes' && (
            <PayloadTab key={tab} {...shared} path="attributes" name={callText.attributes} isEnded />
          )}
          {tab === 'feedback' && <FeedbackTab {...shared} />}
          {tab === 'cost' && <CostTab skeleton={skeleton} row={row} />}
          {tab === 'code' && call.data && hasCode(call.data) && (
            <CodeTab projectId={projectId} op={call.data.op_name} />
          )}
          {tab === 'raw' && <RawTab {...shared} />}
        </div>
        {usage && (
          <footer class={css.usage}>
            <span class={css.usageBar}>
              <UsageBar usage={usage} />
            </span>
            {usage.cached > 0 && (
              <span>
                {formatCount(usage.cached)} {callText.cached}
              </span>
            )}
            <span>
              {formatCount(usage.fresh)} {usage.cached > 0 ? callText.new : callText.in}
            </span>
            <span>
              {formatCount(usage.out)} {callText.out}
            </span>
            <span class={css.model}>{skeleton.models[skeleton.model(row)]}</span>
            {usage.isRepeated && (
              <span class={css.repeated} data-tip={usageText.repeatedWhy}>
                {usageText.repeated}
              </span>
            )}
            {!Number.isNaN(usage.cost) && <strong>{formatCost(usage.cost)}</strong>}
          </footer>
        )}
      </div>
    </FileAddress.Provider>
  )
}

/** Address that opens a call: for a visitor, the read-only link again. */
function addressOf(projectId: string, traceId: string, callId: string): string {
  if (sharedLink === undefined) return location.origin + tracePath(projectId, traceId, callId)
  const { origin, pathname, hash } = location
  return `${origin}${pathname}?call=${encodeURIComponent(callId)}${hash}`
}

/** Whether there is a tab with the source of the op, which read-only links do not show. */
const hasCode = ({ op_name }: CallFacts): boolean => sharedLink === undefined && opRef.test(op_name)

/** The call of the same op before this one, or the first one after it. */
function sameOpBefore(skeleton: Skeleton, row: number): string | undefined {
  if (row < 0) return undefined
  const same = (other: number) => nameOf(skeleton, other) === nameOf(skeleton, row)
  for (let other = row - 1; other >= 0; other--) if (same(other)) return skeleton.id(other)
  for (let other = row + 1; other < skeleton.size; other++) if (same(other)) return skeleton.id(other)
  return undefined
}

/** `auto` is chat where there are messages, else inputs and output. */
function shownTab(wanted: CallTab, hasChat: boolean, isPending: boolean): Exclude<CallTab, 'auto'> {
  if (wanted === 'auto') return hasChat || isPending ? 'chat' : 'io'
  return wanted === 'chat' && !hasChat && !isPending ? 'io' : wanted
}

interface FiguresProps {
  readonly skeleton: Skeleton
  readonly row: number
  readonly now: number
  readonly call: CallFacts | undefined
}

function Figures({ skeleton, row, now, call }: FiguresProps) {
  const usage = usageOf(skeleton, row)
  const duration = skeleton.duration(row)
  const cost = usage ? usage.cost : skeleton.totalCost(row)
  const tokens = skeleton.totalTokens(row)
  const started = skeleton.startedAt + skeleton.start(row)
  return (
    <dl class={css.figures} aria-label={callText.figures}>
      <Figure name={callText.latency}>
        {formatDuration(Number.isNaN(duration) ? now - skeleton.start(row) : duration)}
      </Figure>
      <Figure name={callText.started} tip={formatFullTime(call?.started_at ?? started)}>
        <span class={css.started}>+{formatDuration(skeleton.start(row))}</span>
      </Figure>
      {usage ? (
        <>
          <Figure name={callText.inputTokens}>
            {formatCount(usage.cached + usage.fresh)}
            {usage.cached > 0 && (
              <span class={css.weak}>
                {formatShort(usage.cached)} {callText.cached}
              </span>
            )}
          </Figure>
          <Figure name={callText.outputTokens}>{formatCount(usage.out)}</Figure>
        </>
      ) : (
        <>
          {skeleton.descendantCount(row) > 0 && (
            <Figure name={callText.inside}>{formatCount(skeleton.descendantCount(row))}</Figure>
          )}
          {tokens > 0 && <Figure name={callText.totalTokens}>{formatShort(tokens)}</Figure>}
        </>
      )}
      {!Number.isNaN(cost) && (
        <Figure name={callText.cost} tip={usage?.isRepeated ? usageText.repeatedWhy : undefined}>
          <span class={usage?.isRepeated ? css.repeated : undefined}>{formatCost(cost)}</span>
        </Figure>
      )}
    </dl>
  )
}

const Figure = ({ name, tip, children }: { name: string; tip?: string | undefined; children: ComponentChildren }) => (
  <div class={css.figure} data-tip={tip}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
