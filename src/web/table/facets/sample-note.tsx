import { formatCount } from '../../format/number.ts'
import { facetText } from '../../text/facets.ts'
import css from './facets.module.css'

/** Note that the numbers are not from all calls, and why. */
export function SampleNote({ of: read }: { of: Sample | undefined }) {
  if (!read?.is_sample) return null
  const calls = formatCount(read.calls_read)
  return <p class={css.sample}>{read.is_partial ? facetText.partial(calls) : facetText.sample(calls)}</p>
}

interface Sample {
  readonly calls_read: number
  readonly is_sample: boolean
  readonly is_partial: boolean
}
