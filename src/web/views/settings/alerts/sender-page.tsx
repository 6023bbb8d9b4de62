import { ArrowLeft } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import {
  changeSender,
  deleteSender,
  deliveriesQuery,
  type Sender,
  sendersQuery,
  testSender,
} from '../../../api/alerts.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Section } from '../../../components/display/section.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatAgo } from '../../../format/time.ts'
import { navigate } from '../../../state/location.ts'
import { settingsPath } from '../../../state/paths.ts'
import { queries } from '../../../state/query-signal.ts'
import { canWrite } from '../../../state/session.ts'
import { showError, showToast } from '../../../state/toasts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { alertsText } from '../../../text/settings/alerts.ts'
import css from '../settings.module.css'
import { filterWords, metricValue, whenWords } from './alert-words.ts'
import { Deliveries } from './deliveries.tsx'
import { SenderDialog } from './sender-dialog.tsx'
import { SenderState } from './sender-state.tsx'

/** One alert or forwarding rule: how it is doing, its requests, and what may be done with it. */
export function SenderPage({ projectId, sender }: { readonly projectId: string; readonly sender: Sender }) {
  const [isChanging, setChanging] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { id, name, action, is_paused } = sender
  const readAgain = () => queries.invalidateQueries({ queryKey: sendersQuery(projectId).queryKey })
  const test = async (): Promise<void> => {
    setBusy(true)
    try {
      await testSender(projectId, id)
      showToast({ kind: 'done', text: alertsText.testing })
      await queries.invalidateQueries({ queryKey: deliveriesQuery(projectId, id, 0).queryKey.slice(0, 3) })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const pause = () => changeSender(projectId, id, { is_paused: !is_paused }).then(readAgain).catch(showError)
  return (
    <>
      <a class={css.back} href={settingsPath('alerts')}>
        <Icon of={ArrowLeft} size={14} /> {alertsText.all}
      </a>
      <Section
        title={name}
        lead={whenWords(sender)}
        action={
          canWrite.value && (
            <span class={css.actions}>
              {action.kind === 'webhook' && (
                <Button busy={isBusy} onClick={test}>
                  {alertsText.test}
                </Button>
              )}
              <MenuButton
                label={accessText.actions(name)}
                side="end"
                items={[
                  { label: alertsText.change, run: () => setChanging(true) },
                  { label: is_paused ? alertsText.resume : alertsText.pause, run: () => void pause() },
                  { label: alertsText.remove, danger: true, separator: true, run: () => setLeaving(true) },
                ]}
              />
            </span>
          )
        }
      >
        <Facts facts={factsOf(sender)} />
      </Section>
      {action.kind === 'webhook' && <Deliveries projectId={projectId} ruleId={id} />}
      {isChanging && (
        <SenderDialog
          projectId={projectId}
          kind={action.kind}
          before={sender}
          onClose={() => setChanging(false)}
          onSaved={() => void readAgain()}
        />
      )}
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={alertsText.removeTitle(name)}
        verb={alertsText.remove}
        run={async () => {
          await deleteSender(projectId, id)
          await readAgain()
          navigate(settingsPath('alerts'))
        }}
      >
        <p>{alertsText.removeText}</p>
      </ConfirmDialog>
    </>
  )
}

function factsOf(sender: Sender): [string, ComponentChildren][] {
  const { action, condition, query, status } = sender
  const { value, evaluated_at, handled, handled_at, rejected, error, error_at } = status
  const headers = action.header_names.join(', ')
  return [
    [alertsText.state, <SenderState key="state" of={sender} />],
    ...(error === null
      ? []
      : [[alertsText.problem, `${error}${error_at === null ? '' : ` (${formatAgo(error_at)})`}`] as [string, string]]),
    [action.kind === 'webhook' ? alertsText.url : alertsText.forwardUrl, <code key="url">{action.url}</code>],
    ...(headers === '' ? [] : [[alertsText.headers, headers] as [string, string]]),
    ...(condition !== null && query !== null ? [[alertsText.calls, filterWords(query)] as [string, string]] : []),
    ...(condition !== null && value !== null
      ? [
          [
            alertsText.measured,
            `${metricValue(condition.metric, value)}${evaluated_at === null ? '' : `, ${formatAgo(evaluated_at)}`}`,
          ] as [string, string],
        ]
      : []),
    ...(condition === null
      ? ([
          [alertsText.handled, `${formatCount(handled)}${handled_at === null ? '' : `, ${formatAgo(handled_at)}`}`],
          ...(rejected > 0 ? [[alertsText.refused, formatCount(rejected)]] : []),
        ] as [string, string][])
      : []),
  ]
}
