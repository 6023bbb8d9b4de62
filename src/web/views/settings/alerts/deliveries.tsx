import { Send } from 'lucide'
import { useState } from 'preact/hooks'
import { type Delivery, deliveriesQuery } from '../../../api/alerts.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Section } from '../../../components/display/section.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatAgo, formatClock, formatFullTime, formatWhen } from '../../../format/time.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { alertsText } from '../../../text/settings/alerts.ts'
import css from './deliveries.module.css'
import { DeliveryState } from './sender-state.tsx'

const page = 20
const kept = 100
const askAgainMs = 10_000
const waitingAgainMs = 1_000

/** Webhook requests of an alert, with every attempt and what the receiver answered. */
export function Deliveries({ projectId, ruleId }: { readonly projectId: string; readonly ruleId: string }) {
  const [limit, setLimit] = useState(page)
  const { data, error, refetch } = useQuery({
    ...deliveriesQuery(projectId, ruleId, limit),
    refetchInterval: ({ state }) => (state.data?.[0]?.attempts.length === 0 ? waitingAgainMs : askAgainMs),
  })
  return (
    <Section title={alertsText.deliveries} lead={alertsText.deliveriesLead}>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="1fr 1fr 2fr" rows={4} height={40} />
      ) : data.length === 0 ? (
        <EmptyState icon={Send} title={alertsText.noDeliveries}>
          {alertsText.noDeliveriesReason}
        </EmptyState>
      ) : (
        <>
          <ul class={css.list} aria-label={alertsText.deliveries}>
            {data.map((delivery) => (
              <li key={delivery.id}>
                <One delivery={delivery} />
              </li>
            ))}
          </ul>
          {data.length === limit && limit < kept && <Button onClick={() => setLimit(kept)}>{alertsText.more}</Button>}
        </>
      )}
    </Section>
  )
}

/** The newest attempt is seen at once; the others, and what was sent, when it is opened. */
function One({ delivery }: { readonly delivery: Delivery }) {
  const last = delivery.attempts.at(-1)
  return (
    <details class={css.delivery}>
      <summary>
        <b>{alertsText.types[delivery.type]}</b>
        <DeliveryState of={delivery} />
        <span class={css.outcome} dir="auto">
          {last && outcomeOf(last)}
        </span>
        <span class={css.when} data-tip={formatFullTime(delivery.created_at)}>
          {formatAgo(delivery.created_at)}
        </span>
      </summary>
      <dl class={css.parts}>
        {delivery.attempts.map((attempt, index) => (
          <div key={attempt.at}>
            <dt>
              {alertsText.attempt(index + 1)}{' '}
              <span data-tip={formatFullTime(attempt.at)}>{formatClock(attempt.at)}</span>
            </dt>
            <dd>
              {outcomeOf(attempt)}
              {attempt.answer !== null && (
                <pre dir="auto" aria-label={alertsText.answer}>
                  {attempt.answer}
                </pre>
              )}
            </dd>
          </div>
        ))}
        {delivery.next_attempt_at !== null && (
          <div>
            <dt>{alertsText.state}</dt>
            <dd>{alertsText.next(formatWhen(delivery.next_attempt_at))}</dd>
          </div>
        )}
        <div>
          <dt>{alertsText.request}</dt>
          <dd>
            <pre>{JSON.stringify(delivery.body, null, 2)}</pre>
          </dd>
        </div>
      </dl>
    </details>
  )
}

const outcomeOf = ({ status, error }: Delivery['attempts'][number]): string =>
  error ?? (status === null ? '' : alertsText.status(status))
