import { RotateCw, Unplug } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { ErrorBoundary, useLocation } from 'preact-iso'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { connectRouter, navigate, watchAddress } from '../state/location.ts'
import { loginPath } from '../state/paths.ts'
import { loadSession, session } from '../state/session.ts'
import { partsText, shellText } from '../text/en.ts'
import { Routes } from '../views/routes.tsx'
import { Frame } from './frame.tsx'

/** The whole page, once it is known who is signed in. */
export function App() {
  const { route, path } = useLocation()
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    connectRouter(route)
    watchAddress()
    load()
  }, [])
  const load = () => {
    setFailure(undefined)
    loadSession().catch(setFailure)
  }
  const current = session.value
  useEffect(() => {
    if (current === null && path !== loginPath) navigate(loginWith(location), { replace: true })
  }, [current, path])

  if (failure !== undefined) return <Unreachable failure={failure} retry={load} />
  if (current === undefined || (current === null && path !== loginPath)) return null
  return (
    <Frame>
      <Guarded key={path.split('/').slice(0, 5).join('/')}>
        <Routes />
      </Guarded>
    </Frame>
  )
}

/** The login page, told where to go on. A one-time code stays in the fragment. */
const loginWith = ({ pathname, search }: Location): string =>
  `${loginPath}?next=${encodeURIComponent(pathname + search)}`

/** A view that fails does not take the frame with it. */
function Guarded({ children }: { children: preact.ComponentChildren }) {
  const [failure, setFailure] = useState<unknown>()
  if (failure === undefined) return <ErrorBoundary onError={report}>{children}</ErrorBoundary>
  return (
    <EmptyState
      icon={RotateCw}
      tone="error"
      title={shellText.chunkMissing}
      action={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
    >
      {isMissingPart(failure) ? shellText.chunkReason : String(failure)}
    </EmptyState>
  )
  function report(error: unknown): void {
    console.error(error)
    setFailure(error)
  }
}

const isMissingPart = (failure: unknown): boolean => failure instanceof TypeError && /import/i.test(failure.message)

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
