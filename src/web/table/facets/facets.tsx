import type { FilterNode } from '../../filter/expression.ts'
import { nameOfPath } from '../../filter/fields.ts'
import { facetText } from '../../text/facets.ts'
import { type CallField, useFields } from '../use-fields.ts'
import { Facet } from './facet.tsx'
import css from './facets.module.css'

const always = [
  { path: 'summary.ext.status', label: facetText.status, isDiscovered: false },
  { path: 'op_name', label: facetText.op, isDiscovered: false },
  { path: 'summary.ext.latency_ms', label: facetText.latency, isDiscovered: false },
  { path: 'usage.models', label: facetText.model, isDiscovered: true },
  // Adding usage up takes time, so these are counted when they are opened.
  { path: 'usage.total_tokens', label: facetText.tokens, isDiscovered: false, isClosed: true },
  { path: 'usage.total_cost', label: facetText.cost, isDiscovered: false, isClosed: true },
]
const discoveredMax = 4

/** Facets of the fields that every call has, and of those in this data that have few values. */
export function Facets(props: FacetsProps) {
  const found = useFields(props.projectId, props.rootsOnly, props.enabled)
  const more = discovered(found?.fields ?? []).map(({ path }) => ({ path, label: labelOf(path), isDiscovered: true }))
  return (
    <div class={css.facets}>
      {[...always, ...more].map((facet) => (
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
        /^(attributes|inputs|output)\./.test(path) &&
        share >= 0.3 &&
        isScalar &&
        isShort &&
        !/[._](id|model|span_name)$/.test(path)
      )
    })
    .sort((a, b) => rank(a) - rank(b) || b.share - a.share)
    .slice(0, discoveredMax)
}

const rank = ({ path }: CallField): number => (path.startsWith('attributes.') ? 0 : path.startsWith('output.') ? 1 : 2)

/** `attributes.user_tier` is read as “User tier”. */
function labelOf(path: string): string {
  const words = nameOfPath(path)
    .replace(/^(attributes|inputs|output)\./, '')
    .replaceAll(/[._-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface FacetsProps {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly node: FilterNode | undefined
  readonly timeFilter: FilterNode | undefined
  readonly enabled: boolean
  readonly isEmpty: boolean
  readonly onFilter: (node: FilterNode | undefined) => void
}
