import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { LabelChoice } from '../model/judge-check.ts'
import type { LeafStatistics } from '../results/summary.ts'
import { feedbackSamplesStatement } from '../sql/judge-labels.ts'
import { examplesStatement } from '../sql/row-measures.ts'
import { labelIn } from './labels.ts'

type Judged = Parameters<typeof feedbackSamplesStatement>[0]

/** Depth of members of payloads and rows that may be labels. */
const depthMax = 3
/** Rows in which columns are looked for. */
const rowsRead = 20

/** What the runs have that may be a label: scores, feedback and columns of the dataset. */
export async function labelChoices(
  snapshot: Snapshot,
  judged: Judged,
  leaves: readonly LeafStatistics[],
  digests: readonly string[],
): Promise<LabelChoice[]> {
  return [
    ...scoreChoices(leaves),
    ...(await feedbackChoices(snapshot, judged)),
    ...(await columnChoices(snapshot, judged, digests)),
  ]
}

function scoreChoices(leaves: readonly LeafStatistics[]): LabelChoice[] {
  return [...Map.groupBy(leaves, ({ path }) => path.join('.'))].map(([name, each]): LabelChoice => {
    const sum = (of: (leaf: LeafStatistics) => number): number => each.reduce((total, leaf) => total + of(leaf), 0)
    const [truths, numbers, texts] = [
      sum(({ truthCount }) => truthCount),
      sum(({ numberCount }) => numberCount),
      sum(({ textCount }) => textCount),
    ]
    const kind = truths > 0 ? 'truth' : numbers > 0 ? 'number' : 'text'
    return { source: 'score', name, path: null, kind, count: truths + numbers + texts }
  })
}

async function feedbackChoices(snapshot: Snapshot, judged: Judged): Promise<LabelChoice[]> {
  const samples = await snapshot.rows(feedbackSamplesStatement(judged))
  return [...Map.groupBy(samples, ({ type }) => type)].flatMap(([type, each]) => {
    const paths = pathsIn(each.map(({ payload }) => JSON.parse(payload)))
    // Of the names of an emoji one is enough.
    const isReaction = type.startsWith('ext.reaction.')
    return [...paths]
      .filter(([path]) => !isReaction || path === 'detoned_alias')
      .map(
        ([path, kind]): LabelChoice => ({ source: 'feedback', name: type, path, kind, count: each[0]?.count ?? null }),
      )
  })
}

async function columnChoices(
  snapshot: Snapshot,
  { scope }: Judged,
  digests: readonly string[],
): Promise<LabelChoice[]> {
  if (digests.length === 0) return []
  const rows = await snapshot.rows(examplesStatement(scope, digests.slice(0, rowsRead)))
  return [...pathsIn(rows.map(({ example }) => JSON.parse(example ?? 'null')))].map(
    ([name, kind]): LabelChoice => ({ source: 'column', name, path: null, kind, count: null }),
  )
}

/** Paths at which some values have a label, with its kind. */
function pathsIn(values: readonly unknown[]): ReadonlyMap<string, LabelChoice['kind']> {
  const found = new Map<string, LabelChoice['kind']>()
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isJsonObject(value)) {
      if (path.length >= depthMax) return
      for (const [name, member] of Object.entries(value)) visit(member, [...path, name])
      return
    }
    const label = labelIn(JSON.stringify(value ?? null))
    if (label === undefined || path.length === 0) return
    const kind = typeof label === 'boolean' ? 'truth' : typeof label === 'number' ? 'number' : 'text'
    if (!found.has(path.join('.'))) found.set(path.join('.'), kind)
  }
  for (const value of values) visit(value, [])
  return found
}
