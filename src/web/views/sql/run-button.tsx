import { Play, Square } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { formatDuration } from '../../format/duration.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { sqlText } from '../../text/sql.ts'
import css from './sql-view.module.css'

interface RunButtonProps {
  readonly since: number | undefined
  readonly run: () => void
  readonly stop: () => void
  readonly isEmpty: boolean
}

/** Runs the statement; while it runs, says for how long, and stops it. */
export function RunButton({ since, run, stop, isEmpty }: RunButtonProps) {
  const [now, setNow] = useState(0)
  const isPhone = useIsPhone()
  useEffect(() => {
    if (since === undefined) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [since])
  if (since === undefined) {
    return (
      <Button kind="primary" icon={Play} hint={isPhone ? undefined : '⌘↵'} disabled={isEmpty} onClick={run}>
        {sqlText.run}
      </Button>
    )
  }
  return (
    <>
      <span class={css.note} role="status">
        {sqlText.running(formatDuration(Math.max(0, now - since)))}
      </span>
      <Button icon={Square} hint={isPhone ? undefined : 'esc'} onClick={stop}>
        {sqlText.stop}
      </Button>
    </>
  )
}
