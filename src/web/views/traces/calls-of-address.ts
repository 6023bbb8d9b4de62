import type { FilterNode } from '../../filter/expression.ts'
import { type ReadFilter, readFilter } from '../../filter/filter-text.ts'
import { type Span, spanOf, within } from '../../filter/time-range.ts'
import type { Values } from '../../state/search-text.ts'
import type { CallsQuery } from '../../table/calls-request.ts'
import { timeAnchor } from '../../table/time-anchor.ts'
import type { tracesUrl } from '../../table/traces-url.ts'

/** The calls that the address of a table asks for. */
export interface CallsOfAddress {
  readonly read: ReadFilter
  /** The time range; undefined for all times. */
  readonly span: Span | undefined
  /** The brushed part of it. */
  readonly part: Span | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  /** The filter with the time range. */
  readonly filter: FilterNode | undefined
  /** Undefined if the filter cannot be read. */
  readonly query: CallsQuery | undefined
}

/** The request in the address of a table of calls, or of traces with `rootsOnly`. */
export function callsOfAddress(
  projectId: string,
  rootsOnly: boolean,
  { f, t, b, s }: Pick<Values<typeof tracesUrl>, 'f' | 't' | 'b' | 's'>,
): CallsOfAddress {
  const read = readFilter(f)
  const span = spanOf(t, timeAnchor(projectId))
  const part = b ? spanOf(b, 0) : undefined
  const from = part?.from ?? span?.from
  const to = part?.to ?? (t.kind === 'between' ? t.to : undefined)
  const filter = within(read.node, from, to)
  const query = read.error ? undefined : { projectId, rootsOnly, filter, sort: s }
  return { read, span, part, from, to, filter, query }
}
