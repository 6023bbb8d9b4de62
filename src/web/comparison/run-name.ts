import { type ListedRun, modelOf, promptOf } from '../evaluation/runs.ts'

/** What a run is called, as in the list of runs. */
export const nameOf = (run: ListedRun): string => `${modelOf(run)} ${promptOf(run)}`.trim()
