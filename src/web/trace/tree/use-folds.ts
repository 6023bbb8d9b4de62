import { useMemo, useState } from 'preact/hooks'
import { ancestorsOf, type Skeleton } from '../skeleton.ts'
import { type Folds, lineTypes, runStartOf, treeLines } from './tree.ts'

/** The folded calls of the tree, and the remaining lines. */
export function useFolds(skeleton: Skeleton, selectedRow: number) {
  const [folds, setFolds] = useState<Folds>(() =>
    revealed(skeleton, { closed: new Set(), openRuns: new Set() }, selectedRow),
  )
  const lines = useMemo(() => treeLines(skeleton, folds), [skeleton, folds])
  return {
    lines,
    isOpen: (row: number, type: number): boolean =>
      type === lineTypes.run ? folds.openRuns.has(skeleton.id(row)) : !folds.closed.has(skeleton.id(row)),
    toggle: (row: number, type: number): void => {
      const id = skeleton.id(row)
      if (type === lineTypes.run) setFolds({ ...folds, openRuns: toggled(folds.openRuns, id) })
      else setFolds({ ...folds, closed: toggled(folds.closed, id) })
    },
    /** Unfolds what hides a row. */
    reveal: (row: number): void => setFolds((known) => revealed(skeleton, known, row)),
  }
}

function revealed(skeleton: Skeleton, folds: Folds, row: number): Folds {
  if (row < 0) return folds
  const closed = ancestorsOf(skeleton, row).filter((above) => folds.closed.has(skeleton.id(above)))
  const first = runStartOf(skeleton, row)
  // The first call of a run represents the run, so selecting it does not open the run.
  const run = first !== row ? skeleton.id(first) : undefined
  if (closed.length === 0 && (run === undefined || folds.openRuns.has(run))) return folds
  return {
    closed: new Set([...folds.closed].filter((id) => !closed.some((above) => skeleton.id(above) === id))),
    openRuns: run === undefined ? folds.openRuns : new Set([...folds.openRuns, run]),
  }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
