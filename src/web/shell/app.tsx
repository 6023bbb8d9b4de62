import { Unplug } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { returns } from '../api/outage.ts'
import { mayHaveSession } from '../base.ts'
import { Button } from '../components/controls/button.tsx'
import { Toasts } from '../components/overlays/toasts.tsx'
import { TooltipLayer } from '../components/overlays/tooltip-layer.tsx'
import { EmptyState } from '../components/states/empty-state.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { Guard } from '../components/states/guard.tsx'
import { lazyPart, PartFailure } from '../components/states/lazy-part.tsx'
import { OutageBanner } from '../page/outage-banner.tsx'
import { titleOf, ViewSkeleton } from '../page/view-skeleton.tsx'
import { useKeys } from '../state/keys.ts'
import { connectRouter, navigate, watchAddress } from '../state/location.ts'
import { opening } from '../state/opening.ts'
import { keysShown, palette } from '../state/palette.ts'
import { homePath, loginPath, viewPath } from '../state/paths.ts'
import { placeOf } from '../state/place.ts'
import { serverPages } from '../state/server-pages.ts'
import { loadSession, session } from '../state/session.ts'
import { dismiss, showToast } from '../state/toasts.ts'
import { usePlace } from '../state/use-place.ts'
import { sections } from '../state/views.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import { prepareView, Routes } from '../views/routes.tsx'
import css from './frame.module.css'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'

/** Keys that work on every page. */
function useShellKeys(projectId: string | undefined): void {
  useKeys([
    {
      keys: '$mod+k',
      does: shellText.search,
      everywhere: true,
      run: () => {
        palette.value = palette.peek() ? undefined : 'everything'
      },
    },
    {
      keys: 'Shift+?',
      does: shellText.help,
      run: () => {
        keysShown.value = true
      },
    },
    { keys: 'g p', does: shellText.allProjects, run: () => navigate(homePath) },
    ...serverPages().map(({ key, title, href }) => ({ keys: `g ${key}`, does: title, run: () => navigate(href) })),
    ...(projectId === undefined ? [] : sections.flat()).map(({ view, title, key }) => ({
      keys: `g ${key}`,
      does: title,
      run: () => navigate(viewPath(projectId ?? '', view)),
    })),
  ])
}

const instead = { loading: () => null, failed: () => <NotOpened /> }

const PaletteView = lazyPart(() => import('../palette/palette-view.tsx'), instead)
const KeysView = lazyPart(() => import('../palette/keys-view.tsx'), instead)

/** Overlays of any page; loaded when first needed. */
const Overlays = ({ projectId }: { projectId: string | undefined }) => (
  <Guard instead={() => null}>
    {palette.value && <PaletteView projectId={projectId} />}
    {keysShown.value && <KeysView />}
  </Guard>
)

/** An overlay that could not be loaded is closed, so that it can be opened again. */
function NotOpened() {
  useEffect(() => {
    palette.value = undefined
    keysShown.value = false
    showToast({ kind: 'error', text: shellText.notOpened('') })
  }, [])
  return null
}

/** Top bar, rail, and the view beside it. */
function Frame({ children }: { children: ComponentChildren }) {
  const place = usePlace()
  useShellKeys(place.projectId)
  const isBare = place.view === 'login'
  const isOpening = opening.value !== undefined
  return (
    <div class={css.frame}>
      <a class="skip-link" href="#main">
        {shellText.skip}
      </a>
      {!isBare && <TopBar place={place} />}
      {!isBare && place.projectId !== undefined && <Rail projectId={place.projectId} view={place.view} />}
      <OutageBanner />
      <main id="main" class={css.main} tabIndex={-1}>
        <div class={css.view} inert={isOpening}>
          {children}
        </div>
        {isOpening && (
          <div class={css.opening}>
            <ViewSkeleton place={place} />
          </div>
        )}
      </main>
      {!isBare && <Overlays projectId={place.projectId} />}
      <Toasts />
      <TooltipLayer />
    </div>
  )
}

/**
 * Says that a view could not be opened; the page stays as it is. A server that answers was upgraded
 * since the page was opened: the address is then loaded anew, with the scripts of today.
 */
function openingFailed(failure: unknown, url: string): void {
  if (failure instanceof PartFailure && failure.isMissing) {
    location.assign(url)
    return
  }
  const title = titleOf(placeOf(new URL(url, location.href).pathname))
  const id = showToast({
    kind: 'error',
    text: shellText.notOpened(title),
    action: {
      label: partsText.tryAgain,
      run: () => {
        end()
        navigate(url)
      },
    },
  })
  const end = (): void => {
    stop()
    dismiss(id)
  }
  const count = returns.peek()
  // Once the server is back, a click will do.
  const stop = returns.subscribe((now) => now > count && end())
}

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

/** The login page, with the address to continue at. A one-time code stays in the fragment. */
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
