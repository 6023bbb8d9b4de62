import type { FilterNode } from '../filter/expression.ts'
import { nameOfPath } from '../filter/fields.ts'
import { facetText } from '../text/facets.ts'
import { Facet } from './facet.tsx'
import css from './facets.module.css'
import { type CallField, useFields } from './use-fields.ts'

const always = [
  { path: 'summary.ext.status', label: facetText.status, isDiscovered: false },
  { path: 'op_name', label: facetText.op, isDiscovered: false },
  { path: 'summary.ext.latency_ms', label: facetText.latency, isDiscovered: false },
]
const discoveredMax = 4

/** Facets of the fields that every call has, and of those in this data that have few values. */
export function Facets(props: FacetsProps) {
  const fields = useFields(props.projectId, props.rootsOnly, props.enabled)
  const found = discovered(fields ?? []).map(({ path }) => ({ path, label: labelOf(path), isDiscovered: true }))
  return (
    <div class={css.facets}>
      {[...always, ...found].map((facet) => (
        <Facet key={facet.path} {...props} {...facet} />
      ))}
    </div>
  )
}

/**
 * Scalars that many calls have, and that repeat: names of users, tiers, models, environments,
 * scores.
 */
function discovered(fields: readonly CallField[]): readonly CallField[] {
  return fields
    .filter(({ path, share, types, examples }) => {
      const isScalar = types.length > 0 && types.every((type) => type !== 'object' && type !== 'array')
      const isShort = examples.every((example) => typeof example !== 'string' || example.length <= 40)
      return (
        /^(attributes|inputs|output)\./.test(path) && share >= 0.3 && isScalar && isShort && !/(^|[._])id$/.test(path)
      )
    })
    .sort((a, b) => rank(a) - rank(b) || b.share - a.share)
    .slice(0, discoveredMax)
}

const rank = ({ path }: CallField): number => (path.startsWith('attributes.') ? 0 : path.startsWith('output.') ? 1 : 2)

/** `attributes.environment` is read as “environment”. */
const labelOf = (path: string): string => nameOfPath(path).replace(/^(attributes|inputs|output)\./, '')

interface FacetsProps {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly node: FilterNode | undefined
  readonly timeFilter: FilterNode | undefined
  readonly enabled: boolean
  readonly onFilter: (node: FilterNode | undefined) => void
}
