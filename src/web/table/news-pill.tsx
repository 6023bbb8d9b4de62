import { ArrowUp } from 'lucide'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { Icon } from '../components/display/icon.tsx'
import { LiveDot } from '../components/states/live-dot.tsx'
import { useKeys } from '../state/keys.ts'
import { tableText } from '../text/table.ts'
import css from './news-pill.module.css'

/** Says how many rows are new; they come when it is pressed. */
export function NewsPill({ count, rootsOnly, onShow }: NewsPillProps) {
  useKeys([{ keys: 'n', does: tableText.keyWords.news, run: onShow }])
  return (
    <div class={css.place} role="status">
      <button type="button" class={css.pill} onClick={onShow}>
        <LiveDot />
        {count === undefined ? tableText.mayHaveArrived(rootsOnly) : tableText.arrived(count, rootsOnly)}
        <Icon of={ArrowUp} size={14} />
        <KeyHint keys="N" />
      </button>
    </div>
  )
}

interface NewsPillProps {
  /** Undefined if nobody counted them. */
  readonly count: number | undefined
  readonly rootsOnly: boolean
  readonly onShow: () => void
}
