import { Link2Off } from 'lucide'
import { useEffect } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Button } from '../../components/controls/button.tsx'
import { Logo } from '../../components/display/logo.tsx'
import { Toasts } from '../../components/overlays/toasts.tsx'
import { TooltipLayer } from '../../components/overlays/tooltip-layer.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { Guard } from '../../components/states/guard.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatFullTime, formatMoment } from '../../format/time.ts'
import { OutageBanner } from '../../page/outage-banner.tsx'
import { Page } from '../../page/page.tsx'
import { ThemeMenu } from '../../page/theme-menu.tsx'
import { useKeys } from '../../state/keys.ts'
import { watchAddress } from '../../state/location.ts'
import { keysShown } from '../../state/palette.ts'
import { homePath } from '../../state/paths.ts'
import { partsText } from '../../text/parts.ts'
import { sharedPageText as words } from '../../text/shared-page.ts'
import { shellText } from '../../text/shell.ts'
import css from './shared-view.module.css'
import { useVisit, type Visit } from './use-visit.ts'

const loading = () => <LoadingRows columns="314px 56px 1fr" rows={20} height={26} what={words.opening} />
const TracePage = lazyPart(async () => ({ default: (await import('../trace/trace-view.tsx')).TracePage }), { loading })
const KeysView = lazyPart(() => import('../../palette/keys-view.tsx'), { loading: () => null, failed: () => null })

/** The page of a read-only link: one trace, and no way to anything else. */
export default function SharedView() {
  const { visit, retry } = useVisit()
  useEffect(watchAddress, [])
  useEffect(() => {
    // Its script is needed unless the link does not work.
    TracePage.load().catch(() => {})
  }, [])
  useKeys([
    {
      keys: 'Shift+?',
      does: shellText.help,
      run: () => {
        keysShown.value = true
      },
    },
  ])
  const expires = visit.state === 'open' ? visit.link.expires_at : undefined
  return (
    <div class={css.frame}>
      <header class={css.bar}>
        <Logo size={18} />
        <p class={css.words}>
          <span>{words.banner}</span>
          {expires !== undefined && (
            <span class={css.expires} data-tip={formatFullTime(expires)}>
              {words.expires(formatMoment(expires))}
            </span>
          )}
        </p>
        <ThemeMenu />
      </header>
      <OutageBanner />
      <main id="main" class={css.main} tabIndex={-1}>
        <Guard
          instead={(error) => <ErrorState title={shellText.failed} error={error} retry={() => location.reload()} />}
        >
          <Content visit={visit} retry={retry} />
        </Guard>
      </main>
      {keysShown.value && <KeysView />}
      <Toasts />
      <TooltipLayer />
    </div>
  )
}

function Content({ visit, retry }: { readonly visit: Visit; readonly retry: () => void }) {
  switch (visit.state) {
    case 'opening':
      return <Page name={words.name}>{loading()}</Page>
    case 'open':
      return <TracePage projectId={visit.link.project_id} traceId={visit.link.trace_id} />
    case 'ended':
      return <NoTrace title={visit.end === 'expired' ? words.expired : words.revoked} reason={words.endedReason} />
    case 'no cookie':
      return <NoTrace title={words.noCookie} reason={words.noCookieReason} retry={() => location.reload()} />
    case 'failed':
      return <Failed error={visit.error} retry={retry} />
  }
}

function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const status = error instanceof Problem ? error.status : undefined
  if (status === 401) return <NoTrace title={words.invalid} reason={words.invalidReason} />
  if (status === 429) return <NoTrace title={words.tooMany} reason={words.tooManyReason} retry={retry} />
  return (
    <Page name={words.name}>
      <ErrorState error={error} retry={retry} />
    </Page>
  )
}

/** Says why there is no trace, and what helps: trying again, else signing in. */
const NoTrace = ({ title, reason, retry }: NoTraceProps) => (
  <Page name={title}>
    <EmptyState
      icon={Link2Off}
      title={title}
      action={
        retry ? (
          <Button onClick={retry}>{partsText.tryAgain}</Button>
        ) : (
          <Button onClick={() => location.assign(homePath)}>{words.signIn}</Button>
        )
      }
    >
      {reason}
    </EmptyState>
  </Page>
)

interface NoTraceProps {
  readonly title: string
  readonly reason: string
  readonly retry?: () => void
}
