import { Search, X } from 'lucide'
import type { RefObject } from 'preact'
import { Button, IconButton } from '../components/controls/button.tsx'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { Tabs } from '../components/controls/tabs.tsx'
import { Icon } from '../components/display/icon.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { formatCount } from '../format/number.ts'
import { traceText } from '../text/trace/trace.ts'
import css from './trace-tools.module.css'

type View = 'tree' | 'ops' | 'flame'

interface TraceToolsProps {
  readonly panelId: string
  readonly view: View
  readonly find: string
  readonly findField: RefObject<HTMLInputElement | null>
  readonly found: Uint32Array
  readonly selectedRow: number
  readonly errors: number
  readonly isPathShown: boolean
  readonly onView: (view: View) => void
  readonly onFind: (text: string) => void
  readonly onFound: (step: 1 | -1) => void
  readonly onError: () => void
  readonly onSlowest: () => void
  readonly onPath: () => void
}

/** Tabs of the views, find, and the ways to what matters. */
export function TraceTools({ view, find, findField, found, errors, isPathShown, panelId, ...on }: TraceToolsProps) {
  const at = found.indexOf(on.selectedRow) + 1
  return (
    <div class={css.tools}>
      <Tabs
        tabs={[
          { id: 'tree', label: traceText.tree },
          { id: 'ops', label: traceText.byOp },
          { id: 'flame', label: traceText.flame },
        ]}
        current={view}
        onSelect={on.onView}
        label={traceText.views}
        panelId={panelId}
      />
      <search class={css.find} data-keys="own">
        <Icon of={Search} size={14} />
        <input
          ref={findField}
          type="text"
          value={find}
          placeholder={traceText.find}
          aria-label={traceText.find}
          spellcheck={false}
          onInput={({ currentTarget }) => on.onFind(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') on.onFound(event.shiftKey ? -1 : 1)
            if (event.key === 'Escape') {
              on.onFind('')
              event.currentTarget.blur()
            }
          }}
        />
        {find === '' ? (
          <KeyHint keys="/" />
        ) : (
          <>
            <span class={css.count} role="status">
              {at > 0 || found.length === 0 ? traceText.findCount(at, found.length) : formatCount(found.length)}
            </span>
            <IconButton of={X} size="compact" iconSize={14} label={traceText.clearFind} onClick={() => on.onFind('')} />
          </>
        )}
      </search>
      <div class={css.jumps}>
        {errors > 0 && (
          <Button kind="quiet" size="compact" hint="E" class={css.error} onClick={on.onError}>
            <StatusIcon status="error" size={14} hidden />
            {traceText.errorCount(errors)}
          </Button>
        )}
        <Button kind="quiet" size="compact" hint="S" class={css.wide} onClick={on.onSlowest}>
          {traceText.slowest}
        </Button>
        <Button kind="quiet" size="compact" hint="C" class={css.wide} pressed={isPathShown} onClick={on.onPath}>
          {traceText.criticalPath}
        </Button>
      </div>
    </div>
  )
}
