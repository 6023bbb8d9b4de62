import { BellRing, Plus, Share } from 'lucide'
import { useState } from 'preact/hooks'
import { deliveriesQuery, type Sender, sendersQuery } from '../../../api/alerts.ts'
import { Button } from '../../../components/controls/button.tsx'
import { CopyButton } from '../../../components/controls/copy-button.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatAgo, formatFullTime } from '../../../format/time.ts'
import { navigate } from '../../../state/location.ts'
import { settingsPath } from '../../../state/paths.ts'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { text } from '../../../state/search-text.ts'
import { canWrite } from '../../../state/session.ts'
import { urlState } from '../../../state/url-state.ts'
import { usePlace } from '../../../state/use-place.ts'
import { alertsText } from '../../../text/settings/alerts.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { NoProject } from '../no-project.tsx'
import css from '../settings.module.css'
import { whenWords } from './alert-words.ts'
import { SenderDialog } from './sender-dialog.tsx'
import { SenderPage } from './sender-page.tsx'
import { DeliveryState, SenderState } from './sender-state.tsx'

const url = urlState({ alert: text() })
const askAgainMs = 15_000

/** Alerts with a webhook, and rules that forward calls; one of them if the address names it. */
export default function Alerts() {
  const { projectId } = usePlace()
  const { alert } = url.values.value
  const { data, error, refetch } = useQuery({
    ...sendersQuery(projectId),
    enabled: projectId !== undefined,
    refetchInterval: askAgainMs,
  })
  const [adding, setAdding] = useState<Sender['action']['kind']>()
  const [secret, setSecret] = useState<string | null>(null)
  if (projectId === undefined) {
    return <NoProject words={alertsText} />
  }
  if (alert !== '' && data !== undefined) {
    const sender = data.find(({ id }) => id === alert)
    return sender ? <SenderPage key={alert} projectId={projectId} sender={sender} /> : <Missing />
  }
  return (
    <Section
      title={settingsText.sections.alerts}
      lead={alertsText.lead(projectId)}
      action={
        canWrite.value && (
          <span class={css.actions}>
            <Button icon={Share} onClick={() => setAdding('forward')}>
              {alertsText.addForward}
            </Button>
            <Button kind="primary" icon={Plus} onClick={() => setAdding('webhook')}>
              {alertsText.add}
            </Button>
          </span>
        )
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 2fr 1fr 80px" rows={3} height={40} />
      ) : data.length === 0 ? (
        <EmptyState icon={BellRing} title={alertsText.none}>
          {alertsText.noneReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.alerts}
          columns={[
            { id: 'name', name: alertsText.name, isWide: true },
            { id: 'when', name: alertsText.when, isExtra: true },
            { id: 'state', name: alertsText.state },
            { id: 'last', name: alertsText.last, isNumber: true },
          ]}
          rows={data.map((sender) => ({
            id: sender.id,
            isOff: sender.is_paused,
            cells: {
              name: (
                <>
                  <a href={`${settingsPath('alerts')}${url.searchWith({ alert: sender.id })}`}>
                    <b class={css.strong}>{sender.name}</b>
                  </a>
                  <span class={css.hint}>{hostOf(sender)}</span>
                </>
              ),
              when: whenWords(sender),
              state: <SenderState of={sender} />,
              last: <Last projectId={projectId} of={sender} />,
            },
          }))}
        />
      )}
      {adding && (
        <SenderDialog
          projectId={projectId}
          kind={adding}
          onClose={() => setAdding(undefined)}
          onSaved={(made) => {
            setSecret(made)
            void queries.invalidateQueries({ queryKey: sendersQuery(projectId).queryKey })
          }}
        />
      )}
      <Dialog
        open={secret !== null}
        onClose={() => setSecret(null)}
        title={alertsText.copySecret}
        foot={<Button onClick={() => setSecret(null)}>{alertsText.done}</Button>}
      >
        <p>{alertsText.copySecretHint}</p>
        <p class={css.made}>
          <code>{secret}</code> <CopyButton text={secret ?? ''} />
        </p>
      </Dialog>
    </Section>
  )
}

const Missing = () => (
  <EmptyState
    icon={BellRing}
    title={alertsText.missing}
    action={<Button onClick={() => navigate(settingsPath('alerts'))}>{alertsText.all}</Button>}
  >
    {alertsText.missingReason}
  </EmptyState>
)

const hostOf = ({ action }: Sender): string => (URL.canParse(action.url) ? new URL(action.url).host : action.url)

/** The last request of an alert; of a forwarding rule, how many calls it has forwarded. */
function Last({ projectId, of: { id, action, status } }: { readonly projectId: string; readonly of: Sender }) {
  const isAlert = action.kind === 'webhook'
  const { data } = useQuery({ ...deliveriesQuery(projectId, id, 1), enabled: isAlert, refetchInterval: askAgainMs })
  if (!isAlert) return <span>{alertsText.forwarded(formatCount(status.handled))}</span>
  const [last] = data ?? []
  if (last === undefined) return <span class={css.dim}>{data && alertsText.never}</span>
  return (
    <span data-tip={formatFullTime(last.created_at)}>
      <DeliveryState of={last} /> {formatAgo(last.created_at)}
    </span>
  )
}
