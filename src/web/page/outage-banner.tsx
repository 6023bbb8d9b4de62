import { useEffect, useState } from 'preact/hooks'
import { outage, probeServer } from '../api/outage.ts'
import { Button } from '../components/controls/button.tsx'
import { Banner } from '../components/states/banner.tsx'
import { formatClock } from '../format/time.ts'
import { readStale, type Stale, stale } from '../state/query-signal.ts'
import { pageVersion, session } from '../state/session.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'
import css from './outage-banner.module.css'

const tickMs = 250

/** Says on every page that the server does not answer or fails, or that it was upgraded since. */
export function OutageBanner() {
  if (outage.value) return <Gone nextTryMs={outage.value.nextTryMs} />
  if (stale.value) return <NotRefreshed {...stale.value} />
  const version = session.value?.version
  if (version === undefined || version === pageVersion.value) return null
  return (
    <div class={css.place}>
      <Banner
        tone="info"
        action={
          <Button kind="quiet" size="compact" onClick={() => location.reload()}>
            {shellText.reload}
          </Button>
        }
      >
        {shellText.upgraded(version)}
      </Banner>
    </div>
  )
}

/** What the page shows is from before the server began to fail. */
function NotRefreshed({ sinceMs, reason }: Stale) {
  const [isBusy, setBusy] = useState(false)
  const readAgain = async () => {
    setBusy(true)
    await readStale()
    setBusy(false)
  }
  return (
    <div class={css.place}>
      <Banner
        action={
          <Button kind="quiet" size="compact" busy={isBusy} onClick={() => void readAgain()}>
            {partsText.tryAgain}
          </Button>
        }
      >
        {shellText.notRefreshed(formatClock(sinceMs), reason)}
      </Banner>
    </div>
  )
}

function Gone({ nextTryMs }: { nextTryMs: number | undefined }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), tickMs)
    return () => clearInterval(timer)
  }, [])
  const seconds = nextTryMs === undefined ? 0 : Math.ceil((nextTryMs - Date.now()) / 1000)
  return (
    <div class={css.place}>
      <Banner
        tone="error"
        action={
          <Button kind="quiet" size="compact" busy={nextTryMs === undefined} onClick={() => void probeServer()}>
            {shellText.tryNow}
          </Button>
        }
      >
        {shellText.silent} <span aria-hidden>{seconds > 0 ? shellText.nextTry(seconds) : shellText.trying}</span>
      </Banner>
    </div>
  )
}
