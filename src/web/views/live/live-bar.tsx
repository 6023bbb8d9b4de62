import type { Ref } from 'preact'
import type { LiveState } from '../../api/live.ts'
import { Button } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { SearchField } from '../../components/controls/search-field.tsx'
import { LiveDot } from '../../components/states/live-dot.tsx'
import { liveText } from '../../text/trace/live.ts'
import css from './live-bar.module.css'

/**
 * Filters and connection state of the tail. New calls wait behind a button and never move the rows.
 */
export const LiveBar = (props: LiveBarProps) => (
  <div class={css.bar}>
    <SearchField
      class={css.filter}
      inputRef={props.inputRef}
      label={liveText.filter}
      hint="F"
      value={props.typed}
      onType={props.onType}
    />
    <Checkbox checked={props.errorsOnly} onChange={props.onErrorsOnly}>
      {liveText.errorsOnly}
    </Checkbox>
    <div class={css.state} role="status">
      {props.waiting > 0 ? (
        <Button size="compact" onClick={props.onShow} hint="N">
          {liveText.news(props.waiting)}
        </Button>
      ) : (
        <>
          <LiveDot quiet={props.isPaused || props.connection !== 'open'} />
          {props.isPaused ? liveText.paused : liveText[props.connection]}
        </>
      )}
    </div>
  </div>
)

interface LiveBarProps {
  readonly inputRef: Ref<HTMLInputElement>
  readonly typed: string
  readonly onType: (text: string) => void
  readonly errorsOnly: boolean
  readonly onErrorsOnly: (errorsOnly: boolean) => void
  readonly connection: LiveState
  readonly isPaused: boolean
  readonly waiting: number
  readonly onShow: () => void
}
