import { Button } from '../components/controls/button.tsx'
import { Banner } from '../components/states/banner.tsx'
import { formatAgo } from '../format/time.ts'
import { versionText } from '../text/version.ts'
import { compareUrl } from './compare-url.ts'
import css from './conflict.module.css'
import { authorOf, type ObjectVersion } from './objects.ts'

interface ConflictProps {
  readonly latest: ObjectVersion | undefined
  readonly nextIndex: number
  readonly busy: boolean
  readonly canSave: boolean
  readonly onSave: () => void
  /** Shows both versions; without it, in this view. */
  readonly onShowBoth?: () => void
}

/** Another version came first: nothing is merged in silence. */
export const Conflict = ({ latest, nextIndex, busy, canSave, onSave, onShowBoth }: ConflictProps) => (
  <Banner
    tone="warn"
    action={
      <span class={css.choices}>
        {latest && (
          <Button
            size="compact"
            onClick={onShowBoth ?? (() => compareUrl.commit({ from: latest.digest, to: 'draft' }))}
          >
            {versionText.showBoth}
          </Button>
        )}
        <Button size="compact" busy={busy} disabled={!canSave} onClick={onSave}>
          {versionText.saveAnyway(nextIndex)}
        </Button>
      </span>
    }
  >
    {latest === undefined
      ? versionText.conflictUnknown
      : versionText.conflict(latest.version_index, authorOf(latest), formatAgo(latest.created_at))}
  </Banner>
)
