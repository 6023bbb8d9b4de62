import { search } from '../../state/location.ts'
import { viewPath } from '../../state/paths.ts'
import { tableText } from '../../text/table.ts'
import css from './kind-links.module.css'

/** The title of a table, which leads to the other kind of row with the same filter. */
export function KindLinks({ projectId, rootsOnly }: { projectId: string; rootsOnly: boolean }) {
  const kept = search.value
  const link = (isRoots: boolean) => {
    const label = isRoots ? tableText.traces : tableText.calls
    if (isRoots === rootsOnly) return <span>{label}</span>
    return (
      <a class={css.other} href={viewPath(projectId, isRoots ? 'traces' : 'calls', withoutView(kept))}>
        {label}
      </a>
    )
  }
  return (
    <span class={css.links}>
      {link(true)}
      {link(false)}
    </span>
  )
}

/** A saved view belongs to one kind of row. */
function withoutView(search: string): string {
  const rest = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('v='))
  return rest.length === 0 ? '' : `?${rest.join('&')}`
}
