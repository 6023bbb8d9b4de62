import { Unplug } from 'lucide'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { returns } from '../api/outage.ts'
import { mayHaveSession } from '../base.ts'
import { Button } from '../components/controls/button.tsx'
import { EmptyState } from '../components/states/empty-state.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { Guard } from '../components/states/guard.tsx'
import { connectRouter, navigate, watchAddress } from '../state/location.ts'
import { loginPath } from '../state/paths.ts'
import { loadSession, session } from '../state/session.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import { prepareView, Routes } from '../views/routes.tsx'
import { Frame } from './frame.tsx'
import { openingFailed } from './opening-failed.ts'

/** The whole page. While the session is read, it shows the shape of the view. */
export function App({ firstSession }: { firstSession: Promise<void> }) {
  const { route, path } = useLocation()
  const [failure, setFailure] = useState<unknown>()
  useLayoutEffect(() => {
    connectRouter({ route, prepare: prepareView, failed: openingFailed })
    firstSession.catch(setFailure)
  }, [])
  // The router listens in a layout effect of its own, which comes after those of its children.
  useEffect(watchAddress, [])
  const load = () => {
    setFailure(undefined)
    loadSession().catch(setFailure)
  }
  const returned = returns.value
  useEffect(() => {
    if (returned > 0) load()
  }, [returned])
  const current = session.value
  useEffect(() => {
    if (current === null && path !== loginPath) navigate(loginWith(location), { replace: true })
  }, [current, path])

  if (current === undefined && failure !== undefined) return <Unreachable failure={failure} retry={load} />
  if (current === undefined ? !mayHaveSession : current === null && path !== loginPath) return null
  return (
    <Frame>
      <Guard
        key={path.split('/').slice(0, 5).join('/')}
        instead={(each) => <ErrorState title={shellText.failed} error={each} retry={() => location.reload()} />}
      >
        <Routes isReady={current !== undefined} />
      </Guard>
    </Frame>
  )
}

/** The login page, told where to go on. A one-time code stays in the fragment. */
const loginWith = ({ pathname, search }: Location): string =>
  `${loginPath}?next=${encodeURIComponent(pathname + search)}`

const Unreachable = ({ failure, retry }: { failure: unknown; retry: () => void }) => (
  <EmptyState
    icon={Unplug}
    tone="error"
    title={shellText.unreachable}
    action={<Button onClick={retry}>{partsText.tryAgain}</Button>}
  >
    {failure instanceof Error ? failure.message : String(failure)}
  </EmptyState>
)
