import { isJsonObject } from '../../../lib/json-value.ts'
import type { ListedRun, ListedScore } from '../model/run-list.ts'

/** Names that summaries give to the mean of a score. */
const means: ReadonlySet<string | undefined> = new Set(['true_fraction', 'mean'])

/** A column of a leaderboard as the SDKs write it. */
export interface Metric {
  readonly evaluation_object_ref: string
  readonly scorer_name: string
  readonly summary_metric_path: string
  readonly should_minimize?: boolean | null | undefined
  /** Runs of all versions of the evaluation count. */
  readonly all_versions?: boolean | null | undefined
}

/** The score of which a metric is the mean; undefined for another figure of a summary. */
export function scoreOf({ scorer_name, summary_metric_path }: Metric): string | undefined {
  const path = partsOf(summary_metric_path)
  return means.has(path.at(-1)) ? [...partsOf(scorer_name), ...path.slice(0, -1)].join('.') : undefined
}

/** The score of a run that is the value of a metric. */
export const listedScoreOf = (metric: Metric, { scores }: ListedRun): ListedScore | undefined => {
  const name = scoreOf(metric)
  return name === undefined ? undefined : scores.find(({ score }) => score === name)
}

/** The number at the path of a metric in one of the summaries of a run. */
export function summaryFigure(
  { scorer_name, summary_metric_path }: Metric,
  summaries: readonly unknown[],
): number | undefined {
  const path = [scorer_name, ...partsOf(summary_metric_path)].filter((part) => part !== '')
  return summaries.map((summary) => numberAt(summary, path)).find((value) => value !== undefined)
}

const partsOf = (path: string): string[] => path.split('.').filter((part) => part !== '')

function numberAt(json: unknown, path: readonly string[]): number | undefined {
  let value = json
  for (const part of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
