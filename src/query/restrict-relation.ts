import { itemAt } from '../lib/present.ts'
import type { Branch, Relation, TimeBounds } from '../lib/relation.ts'
import type { TimeWindow } from './calls-plan.ts'

/** Time bounds of all files of a relation; undefined if those of a file are not known. */
export function fileTimes({ branches }: Relation): readonly TimeBounds[] | undefined {
  const found: TimeBounds[] = []
  for (const { source } of branches) {
    if (source.kind === 'table') continue
    if (source.times === undefined) return undefined
    found.push(...source.times)
  }
  return found
}

/**
 * The relation without the files that have no row within the window. Without any branch if nothing
 * is left to be read.
 */
export function restrictToWindow(relation: Relation, { after, through }: TimeWindow): Relation {
  const isWithin = ([from, to]: TimeBounds) =>
    to > (after ?? Number.NEGATIVE_INFINITY) && from <= (through ?? Number.POSITIVE_INFINITY)
  const branches = relation.branches.flatMap((branch): Branch[] => {
    const { source } = branch
    if (source.kind === 'table' || source.times === undefined || source.times.every(isWithin)) return [branch]
    const { paths, times, counted: _, ...rest } = source
    const kept = paths.filter((_path, index) => isWithin(itemAt(times, index)))
    if (kept.length === 0) return []
    return [{ ...branch, source: { ...rest, paths: kept, times: times.filter(isWithin) } }]
  })
  return { ...relation, branches }
}
