import { ChevronDown, ChevronUp, Search, X } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Icon } from '../components/display/icon.tsx'
import { formatCount, formatCountUpTo } from '../format/number.ts'
import { jsonText } from '../text/trace/json.ts'
import css from './json-view.module.css'
import { type Find, matchesMax } from './use-find.ts'

/** The field of a search, with the number of matches and buttons to step through them. */
export function FindField({ find }: { find: Find }) {
  const { needle, matches, current } = find
  return (
    <search class={css.find}>
      <Icon of={Search} size={14} />
      <input
        type="text"
        value={needle}
        placeholder={jsonText.find}
        aria-label={jsonText.find}
        spellcheck={false}
        onInput={({ currentTarget }) => find.setNeedle(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') find.setNeedle('')
        }}
      />
      {needle !== '' && (
        <>
          <span class={css.count} role="status">
            {matches.length === 0
              ? jsonText.none
              : `${formatCount(current + 1)}/${formatCountUpTo(matches.length, matchesMax - 1)}`}
          </span>
          <IconButton
            of={ChevronUp}
            size="compact"
            iconSize={14}
            label={jsonText.findPrevious}
            onClick={() => find.step(-1)}
          />
          <IconButton
            of={ChevronDown}
            size="compact"
            iconSize={14}
            label={jsonText.findNext}
            onClick={() => find.step(1)}
          />
          <IconButton
            of={X}
            size="compact"
            iconSize={14}
            label={jsonText.findClear}
            onClick={() => find.setNeedle('')}
          />
        </>
      )}
    </search>
  )
}
