import { Pause, Play, Radio, Trash2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { tracePath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { flag, oneOf, text } from '../../state/search-text.ts'
import { urlState } from '../../state/url-state.ts'
import { liveText } from '../../text/live.ts'
import { LiveBar } from './live-bar.tsx'
import { LiveRows } from './live-rows.tsx'
import css from './live-view.module.css'
import { hasFailed, isAskedFor, keptMax } from './tail-rows.ts'
import { useTail } from './use-tail.ts'

const state = urlState({ q: text(), show: oneOf(['traces', 'calls']), errors: flag() })

/** Calls as they start and end. */
export default function LiveView() {
  const projectId = useProject()
  const filter = useRef<HTMLInputElement>(null)
  const { q, show, errors } = state.values.value
  const [isPaused, setPaused] = useState(false)
  const [cursor, setCursor] = useState<string>()
  const tail = useTail(projectId, show === 'traces', isPaused)
  const shown = tail.rows.shown.filter((call) => isAskedFor(call, q, errors))
  const failed = shown.filter(hasFailed).length
  const at = shown.findIndex(({ id }) => id === cursor)
  const move = (step: number) => setCursor(shown[Math.max(0, Math.min(shown.length - 1, at + step))]?.id)
  const pause = (next: boolean): void => {
    setPaused(next)
    if (!next) tail.showWaiting()
  }
  useKeys([
    { keys: 'p', does: liveText.keys.pause, run: () => pause(!isPaused) },
    { keys: 'n', does: liveText.keys.show, run: tail.showWaiting },
    { keys: 'f', does: liveText.filter, run: () => filter.current?.focus() },
    { keys: 'e', does: liveText.errorsOnly, run: () => state.commit({ errors: !errors }) },
    { keys: 'j', does: liveText.keys.next, run: () => move(1) },
    { keys: 'k', does: liveText.keys.previous, run: () => move(at < 0 ? 1 : -1) },
    {
      keys: 'Enter',
      does: liveText.keys.open,
      run: () => shown[at] && navigate(tracePath(projectId, shown[at].trace_id, shown[at].id)),
    },
  ])

  return (
    <Page
      name={liveText.name}
      title={liveText.name}
      tabs={
        <Segments
          label={liveText.show}
          current={show}
          options={[
            { id: 'traces', label: liveText.rootsOnly },
            { id: 'calls', label: liveText.allCalls },
          ]}
          onSelect={(next) => state.commit({ show: next })}
        />
      }
      actions={
        <>
          <Button icon={isPaused ? Play : Pause} hint="P" onClick={() => pause(!isPaused)}>
            {isPaused ? liveText.resume : liveText.pause}
          </Button>
          <IconButton of={Trash2} label={liveText.clear} disabled={shown.length === 0} onClick={tail.clear} />
        </>
      }
      foot={{
        facts: (
          <>
            <span>{liveText.facts(shown.length, failed)}</span>
            {tail.rows.shown.length >= keptMax && <span>{liveText.kept(keptMax)}</span>}
          </>
        ),
        keys: [
          ['P', liveText.hints.pause],
          ['J K', liveText.hints.move],
          ['↵', liveText.hints.open],
          ['E', liveText.hints.errors],
        ],
      }}
      class={css.body}
    >
      <LiveBar
        inputRef={filter}
        typed={q}
        onType={(typed) => state.replace({ q: typed })}
        errorsOnly={errors}
        onErrorsOnly={(next) => state.commit({ errors: next })}
        connection={tail.state}
        isPaused={isPaused}
        waiting={tail.rows.waiting.length}
        onShow={tail.showWaiting}
      />
      {tail.hasGap && <Banner>{liveText.gap}</Banner>}
      {shown.length > 0 ? (
        <LiveRows calls={shown} projectId={projectId} cursor={cursor} onCursor={setCursor} />
      ) : tail.rows.shown.length > 0 ? (
        <EmptyState icon={Radio} title={liveText.noMatch}>
          {liveText.noMatchReason(tail.rows.shown.length)}
        </EmptyState>
      ) : (
        <EmptyState
          icon={Radio}
          title={liveText.empty}
          action={<Button onClick={() => navigate(viewPath(projectId, 'start'))}>{liveText.send}</Button>}
        >
          {liveText.emptyReason}
        </EmptyState>
      )}
    </Page>
  )
}
