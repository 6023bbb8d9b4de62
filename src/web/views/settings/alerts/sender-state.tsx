import type { Delivery, Sender } from '../../../api/alerts.ts'
import { Badge, type BadgeTone } from '../../../components/display/badge.tsx'
import { alertsText } from '../../../text/settings/alerts.ts'
import { stateOf } from './alert-words.ts'

const tones: Readonly<Record<keyof typeof alertsText.states, BadgeTone>> = {
  active: 'ok',
  paused: 'neutral',
  failing: 'error',
  capped: 'warn',
  firing: 'error',
}

/** State of an alert or of a forwarding rule. */
export function SenderState({ of }: { readonly of: Sender }) {
  const state = stateOf(of)
  return (
    <Badge tone={tones[state]} tip={of.status.error ?? undefined}>
      {alertsText.states[state]}
    </Badge>
  )
}

const deliveryTones = { pending: 'warn', delivered: 'ok', failed: 'error' } as const

/** State of a delivery. */
export const DeliveryState = ({ of: { state } }: { readonly of: Delivery }) => (
  <Badge tone={deliveryTones[state]}>{alertsText.deliveryStates[state]}</Badge>
)
