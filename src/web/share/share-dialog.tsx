import { TriangleAlert } from 'lucide'
import { useState } from 'preact/hooks'
import { keysOf } from '../../lib/present.ts'
import { createLink, linksQuery } from '../api/links.ts'
import { Button } from '../components/controls/button.tsx'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Icon } from '../components/display/icon.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { formatMoment } from '../format/time.ts'
import { queries } from '../state/query-signal.ts'
import { canWrite, session } from '../state/session.ts'
import { linkToShare } from '../state/shared-address.ts'
import { showError } from '../state/toasts.ts'
import { partsText } from '../text/parts.ts'
import { shareText } from '../text/trace/share.ts'
import { LinkList } from './link-list.tsx'
import css from './share-dialog.module.css'

const hourSeconds = 3_600
const secondsOf = {
  hour: hourSeconds,
  day: 24 * hourSeconds,
  week: 7 * 24 * hourSeconds,
  month: 30 * 24 * hourSeconds,
  quarter: 90 * 24 * hourSeconds,
}
type Life = keyof typeof secondsOf
const lives = keysOf(secondsOf).map((id) => ({ id, label: shareText.lives[id] }))

interface ShareDialogProps {
  readonly projectId: string
  readonly traceId: string
  readonly onClose: () => void
}

/** The address of a trace for those with access, and read-only links for everybody else. */
export default function ShareDialog({ projectId, traceId, onClose }: ShareDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={shareText.title}
      class={css.dialog}
      foot={
        <Button hint="esc" onClick={onClose}>
          {partsText.close}
        </Button>
      }
    >
      <section class={css.part}>
        <h3>{shareText.forPeople}</h3>
        <p class={css.hint}>{shareText.forPeopleHint}</p>
        <Address label={shareText.address} copy={shareText.copyAddress} address={linkToShare()} autofocus />
      </section>
      {canWrite.value && <ReadOnlyLinks projectId={projectId} traceId={traceId} />}
    </Dialog>
  )
}

/** Makes read-only links to a trace, and lists those that work. */
function ReadOnlyLinks({ projectId, traceId }: { readonly projectId: string; readonly traceId: string }) {
  const [life, setLife] = useState<Life>('week')
  const [made, setMade] = useState<{ readonly address: string; readonly until: string }>()
  const [isBusy, setBusy] = useState(false)
  const trace = { projectId, traceId }
  const make = async (): Promise<void> => {
    setBusy(true)
    try {
      const { path, expires_at } = await createLink(projectId, traceId, secondsOf[life])
      setMade({ address: originOfServer() + path, until: expires_at })
      await queries.invalidateQueries({ queryKey: linksQuery(trace).queryKey })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class={css.part}>
      <h3>{shareText.forOthers}</h3>
      <p class={css.hint}>{shareText.forOthersHint}</p>
      <p class={css.warning}>
        <Icon of={TriangleAlert} />
        {shareText.warning}
      </p>
      <form
        class={css.make}
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
      >
        <Select label={shareText.works} options={lives} value={life} onChange={setLife} />
        <Button kind="primary" type="submit" busy={isBusy}>
          {shareText.make}
        </Button>
      </form>
      {made && (
        <div role="status">
          <Address label={shareText.made} copy={shareText.copyLink} address={made.address} />
          <p class={css.hint}>{shareText.shownOnce(formatMoment(made.until))}</p>
        </div>
      )}
      <LinkList {...trace} />
    </section>
  )
}

/** The server as others reach it, without a path: that of a link has the base path. */
const originOfServer = (): string => URL.parse(session.value?.public_url ?? '')?.origin ?? location.origin

function Address({ label, copy, address, autofocus = false }: AddressProps) {
  return (
    <div class={css.address}>
      <Field
        label={label}
        mono
        readOnly
        dir="ltr"
        value={address}
        autofocus={autofocus}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={address} label={copy} words />
    </div>
  )
}

interface AddressProps {
  readonly label: string
  /** Words of the button. */
  readonly copy: string
  readonly address: string
  readonly autofocus?: boolean
}
