import { memberOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import type { CallRule } from '../api/rules.ts'
import type { ListedRun } from '../evaluation/runs.ts'
import { isRef } from '../format/ids.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import { contentOf, judgeClass, type Scorer } from './scorer.ts'

/** A scorer as the list shows it. */
export interface ListedScorer {
  readonly name: string
  readonly latest: ObjectVersion
  /** What it looks at: the model of a judge, the pattern, the column. */
  readonly looksAt: string
}

const listedMax = 1_000

/** Reads the scorers of a project in their latest versions, by name. */
export const scorersQuery = (projectId: string) => ({
  queryKey: ['objects', projectId, 'scorers'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly ListedScorer[]> => {
    const filter = { base_object_classes: ['Scorer'], latest_only: true }
    const body = { project_id: projectId, filter, include_tags_and_aliases: true, limit: listedMax }
    const { objs } = await post<{ objs: (ObjectVersion & { val: unknown })[] }>('/objs/query', body, { signal })
    return objs
      .map(({ val, ...latest }) => ({
        name: latest.object_id,
        latest,
        looksAt: looksAt(latest.leaf_object_class, val),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  },
})

const textAt = (val: unknown, name: string): string => {
  const value = memberOf(val, name)
  return typeof value === 'string' ? value : ''
}

function looksAt(className: string | null, val: unknown): string {
  if (className !== judgeClass) return textAt(val, 'pattern') || textAt(val, 'expected_column')
  const model = textAt(val, 'model') || textAt(memberOf(val, 'model'), 'llm_model_id')
  return isRef(model) ? (model.split('/').at(-1)?.split(':')[0] ?? '') : model
}

const classMembers: ReadonlySet<string> = new Set(['_type', '_class_name', '_bases'])
const ownMembers: ReadonlySet<string> = new Set([...classMembers, 'name', 'description', 'column_map'])

/**
 * Stores a version of a scorer. The server checks content of its own classes. It knows fewer
 * formats of answers than providers do, and drops members that it does not know: a judge, and what
 * an SDK has stored with members of its own, is stored as clients store their objects.
 *
 * @throws {Problem} 409 if it is not the latest that the changes started from
 */
export const saveScorer = (
  projectId: string,
  name: string,
  scorer: Scorer,
  startedFrom: string | undefined,
): Promise<{ digest: string }> => {
  const val = contentOf(scorer)
  const isChecked = scorer.judge === undefined && Object.keys(scorer.rest).every((member) => ownMembers.has(member))
  const fields = Object.entries(val).filter(([member]) => !classMembers.has(member))
  return post('/obj/create', {
    obj: {
      project_id: projectId,
      object_id: name,
      expected_latest_digest: startedFrom ?? '',
      ...(isChecked ? { val: Object.fromEntries(fields), builtin_object_class: scorer.className } : { val }),
    },
  })
}

/** The runs that used a scorer, newest first, with the number of its version. */
export const runsWith = (
  runs: readonly ListedRun[],
  name: string,
): readonly { readonly run: ListedRun; readonly version: number | null }[] =>
  runs.flatMap((run) => {
    const used = run.scorers.find((each) => each.name === name)
    return used === undefined ? [] : [{ run, version: used.version }]
  })

/** The rules that use a scorer. */
export const rulesWith = (rules: readonly CallRule[], name: string): readonly CallRule[] =>
  rules.filter(
    ({ action }) =>
      action.kind === 'score' && action.scorer_refs.some((ref) => ref.includes(`/object/${encodeURIComponent(name)}:`)),
  )
