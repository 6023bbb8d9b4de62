import { RotateCw, Unplug } from 'lucide'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Guard } from '../parts/guard.tsx'
import { connectRouter, navigate, watchAddress } from '../state/location.ts'
import { loginPath } from '../state/paths.ts'
import { loadSession, session } from '../state/session.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import { Routes } from '../views/routes.tsx'
import { Frame } from './frame.tsx'

/** The whole page, once it is known who is signed in. */
export function App({ firstSession }: { firstSession: Promise<void> }) {
  const { route, path } = useLocation()
  const [failure, setFailure] = useState<unknown>()
  useLayoutEffect(() => {
    connectRouter(route)
    firstSession.catch(setFailure)
  }, [])
  // The router listens in a layout effect of its own, which comes after those of its children.
  useEffect(watchAddress, [])
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
      <Guard key={path.split('/').slice(0, 5).join('/')} instead={(each) => <Failed failure={each} />}>
        <Routes />
      </Guard>
    </Frame>
  )
}

/** The login page, told where to go on. A one-time code stays in the fragment. */
const loginWith = ({ pathname, search }: Location): string =>
  `${loginPath}?next=${encodeURIComponent(pathname + search)}`

const Failed = ({ failure }: { failure: unknown }) => (
  <EmptyState
    icon={RotateCw}
    tone="error"
    title={shellText.chunkMissing}
    action={<Button onClick={() => location.reload()}>{shellText.reload}</Button>}
  >
    {isMissingPart(failure) ? shellText.chunkReason : String(failure)}
  </EmptyState>
)

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
