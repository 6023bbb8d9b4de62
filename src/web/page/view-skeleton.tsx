import { LoadingRows } from '../components/states/loading-rows.tsx'
import type { Place } from '../state/place.ts'
import { viewOf } from '../state/views.ts'
import { shellText } from '../text/shell.ts'
import css from './view-skeleton.module.css'

/** The shape of a view whose script is loading: its head, and grey bars for what it will show. */
export function ViewSkeleton({ place: { view } }: { place: Place }) {
  const title = titleOf({ view })
  return (
    <div class={css.view} role="status" aria-busy="true" data-view={view} data-skeleton>
      <span class="sr-only">{shellText.opening(title)}</span>
      <div class={css.head} aria-hidden>
        {title || <span class={css.bar} />}
      </div>
      <div class={css.columns} aria-hidden>
        <div class={css.before} />
        <div class={css.main}>
          <div class={css.tools}>
            <span class={css.bar} />
          </div>
          <LoadingRows {...viewOf(view)?.rows} rows={24} isQuiet={false} />
        </div>
        <div class={css.behind} />
      </div>
    </div>
  )
}

/** Title of a view that is always called the same; '' for any other. */
export const titleOf = ({ view }: Pick<Place, 'view'>): string => viewOf(view)?.title ?? outside[view] ?? ''

/** Titles of pages outside of projects. */
const outside: Partial<Record<Place['view'], string>> = {
  home: shellText.projects,
  settings: shellText.settings,
  sql: shellText.sql,
}
