import { Tag as TagIcon } from 'lucide'
import { Badge } from '../components/display/badge.tsx'
import { objectText } from '../text/object.ts'
import type { ObjectVersion } from './objects.ts'

/** The alias that programs read by custom. */
export const production = 'production'

/**
 * Aliases and tags of a version, `production` first. `latest` is not shown: it follows from the
 * position.
 */
export const marksOf = ({ aliases, tags }: ObjectVersion): readonly string[] =>
  [...new Set([...(aliases ?? []), ...(tags ?? [])])]
    .filter((name) => name !== 'latest')
    .sort((a, b) => Number(b === production) - Number(a === production) || (a < b ? -1 : 1))

/** A tag or an alias of a version. */
const Tag = ({ name }: { name: string }) => (
  <Badge tone={name === production ? 'ok' : 'accent'} icon={TagIcon}>
    {name}
  </Badge>
)

/** All marks of a version. */
export const Tags = ({ version, isLatest = false }: { version: ObjectVersion; isLatest?: boolean }) => (
  <>
    {marksOf(version).map((name) => (
      <Tag key={name} name={name} />
    ))}
    {isLatest && version.is_latest === 1 && <Badge>{objectText.latest}</Badge>}
  </>
)
