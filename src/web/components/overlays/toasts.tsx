import { Check, X } from 'lucide'
import { dismiss, type Toast, toasts } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { Button, IconButton } from '../controls/button.tsx'
import { Icon } from '../display/icon.tsx'
import { StatusIcon } from '../display/status-icon.tsx'
import { LiveDot } from '../states/live-dot.tsx'
import css from './toasts.module.css'

/** The messages at the lower right, read out as they come. */
export const Toasts = () => (
  <div class={css.toasts} role="status" aria-live="polite">
    {toasts.value.map((toast) => (
      <div key={toast.id} class={css.toast}>
        <Mark kind={toast.kind} />
        <span class={css.text}>{toast.text}</span>
        {toast.action && (
          <Button kind="quiet" size="compact" onClick={toast.action.run}>
            {toast.action.label}
          </Button>
        )}
        {toast.kind === 'error' && (
          <IconButton of={X} label={partsText.close} size="compact" onClick={() => dismiss(toast.id)} />
        )}
      </div>
    ))}
  </div>
)

const Mark = ({ kind }: { kind: Toast['kind'] }) => {
  if (kind === 'error') return <StatusIcon status="error" hidden />
  return kind === 'news' ? <LiveDot /> : <Icon of={Check} class={css.done} />
}
