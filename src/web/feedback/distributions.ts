import type { Distribution, FeedbackDistributions, FeedbackGroup } from '../../domains/feedback/index.ts'
import { post } from '../api/client.ts'
import type { Span } from '../chart/span.ts'
import { stepOf } from '../dashboard/read-stats.ts'
import { allOf, condition, type FilterNode } from '../filter/expression.ts'
import { timeZone } from '../format/time.ts'
import type { feedbackText } from '../text/feedback.ts'

export type { Distribution }

/** Reads the distributions of a time range, for the query cache. */
export const distributionsQuery = (projectId: string, span: Span | undefined) => ({
  queryKey: ['distributions', projectId, span?.from, span?.to, timeZone.value],
  enabled: span !== undefined,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<FeedbackDistributions> => {
    const { from, to } = span ?? { from: 0, to: 0 }
    const body = {
      project_id: projectId,
      start: new Date(from).toISOString(),
      end: new Date(to).toISOString(),
      granularity: stepOf({ from, to }) / 1_000,
      timezone: timeZone.peek(),
    }
    return post<FeedbackDistributions>('/feedback/distributions', body, { signal })
  },
})

/** A member of the payloads of one type of feedback, in each version that has it. */
export interface Subject {
  readonly id: string
  readonly type: string
  readonly kind: keyof typeof feedbackText.kinds
  /** Name of the scorer or of the annotation; the type itself for others. */
  readonly name: string
  readonly path: string
  readonly versions: readonly (Pick<FeedbackGroup, 'version' | 'runnable_ref'> & {
    readonly distribution: Distribution
  })[]
}

/** Groups as the page shows them: scorers first, with their versions beside each other. */
export function subjectsOf(groups: readonly FeedbackGroup[]): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const { feedback_type: type, version, runnable_ref, distributions } of groups) {
    const { kind, name } = kindOf(type)
    for (const distribution of distributions) {
      // The other members of reactions say the same, or the tone of skin.
      if (kind === 'reaction' && distribution.json_path !== 'detoned') continue
      const id = `${type} ${distribution.json_path}`
      const versions = [...(subjects.get(id)?.versions ?? []), { version, runnable_ref, distribution }]
      subjects.set(id, { id, type, kind, name, path: distribution.json_path, versions })
    }
  }
  return [...subjects.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

const order: readonly Subject['kind'][] = ['scorer', 'annotation', 'reaction', 'note', 'other']

function kindOf(type: string): Pick<Subject, 'kind' | 'name'> {
  const [, of, name] = /^[a-z]+\.(runnable|annotation)\.(.+)$/s.exec(type) ?? []
  if (of === 'runnable' && name !== undefined) return { kind: 'scorer', name }
  if (of === 'annotation' && name !== undefined) return { kind: 'annotation', name }
  if (/^[a-z]+\.reaction\.1$/.test(type)) return { kind: 'reaction', name: type }
  if (/^[a-z]+\.note\.1$/.test(type)) return { kind: 'note', name: type }
  return { kind: 'other', name: type }
}

/** Path of a member in filters of calls; of one version of a scorer if it is given. */
export const filterPath = ({ type, path }: Subject, version: string | null): string =>
  `feedback.[${type}${version === null ? '' : `:${version}`}].payload.${path}`

/** A bar of a distribution, with the filter of its calls. */
export interface Bar {
  readonly label: string
  readonly calls: number
  readonly filter: FilterNode | undefined
}

/** The bars of a distribution. */
export function barsOf(
  { values, ranges }: Distribution,
  path: string,
  format: (value: string | number | boolean) => string,
  rangeWords: (from: string, to: string) => string,
): Bar[] {
  return [
    ...values.map(({ value, calls }) => ({
      label: format(value),
      calls,
      filter: condition(path, '=', [value]) as FilterNode,
    })),
    ...ranges.map(({ from, to, calls }, at) => ({
      label: rangeWords(format(from), format(to)),
      calls,
      filter: allOf([condition(path, '>=', [from]), condition(path, at === ranges.length - 1 ? '<=' : '<', [to])]),
    })),
  ]
}
