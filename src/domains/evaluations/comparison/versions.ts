import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { findObjectRef } from '../../../formats/dialect/parsed-ref.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Objects } from '../../objects/index.ts'
import type { DifferingVersions } from '../model/comparison.ts'
import type { Compared } from '../results/trials.ts'
import { scorersStatement } from '../sql/row-measures.ts'

/** A dataset or scorer that a run has used. */
export interface UsedVersion {
  readonly kind: DifferingVersions['kind']
  readonly name: string
  readonly ref: string
  readonly evaluationId: string
}

/** The scorers of runs, as the calls below some of their trials name them. */
export async function readScorers(
  snapshot: Snapshot,
  { projectId }: ProjectReader,
  trials: readonly { readonly id: string; readonly evaluation: string }[],
): Promise<UsedVersion[]> {
  if (trials.length === 0) return []
  const children = await snapshot.relationWhere(callsTable.name, { parent_id: trials.map(({ id }) => id) })
  const rows = await snapshot.rows(scorersStatement({ children, projectId }, trials))
  return rows.flatMap(({ evaluation, name, scorer }): UsedVersion[] => {
    // The call of the prediction is among them; its op is not the ref of an object.
    const ref = findObjectRef(scorer)
    return ref === undefined ? [] : [{ kind: 'scorer', name, ref: scorer, evaluationId: evaluation }]
  })
}

/** The datasets of the runs, as their evaluations name them. */
export async function readDatasets(
  objects: Objects,
  reader: ProjectReader,
  { roots }: Pick<Compared, 'roots'>,
): Promise<UsedVersion[]> {
  const refs = new Set(roots.flatMap(({ evaluationRef }) => evaluationRef ?? []))
  const datasets = new Map<string, string>()
  for (const ref of refs) {
    const val = (await findVersion(objects, reader, ref))?.val
    const dataset = isJsonObject(val) ? val['dataset'] : undefined
    if (typeof dataset === 'string') datasets.set(ref, dataset)
  }
  return roots.flatMap(({ id, evaluationRef }): UsedVersion[] => {
    const ref = datasets.get(evaluationRef ?? '')
    return ref === undefined ? [] : [{ kind: 'dataset', name: findObjectRef(ref)?.name ?? ref, ref, evaluationId: id }]
  })
}

/** The object version that a ref names, if it is one of the project. */
export async function findVersion(objects: Objects, reader: ProjectReader, text: string) {
  const ref = findObjectRef(text)
  if (ref === undefined || ref.projectId !== reader.projectId) return undefined
  return await objects.find(reader, { object_id: ref.name, digest: ref.version, kind: ref.kind })
}

/** Those of which the runs have used several versions; all datasets count as one. */
export async function differingVersions(
  objects: Objects,
  reader: ProjectReader,
  { used, scores }: { readonly used: readonly UsedVersion[]; readonly scores: readonly string[] },
): Promise<DifferingVersions[]> {
  const firsts = new Set(scores.map((score) => score.split('.')[0]))
  const relevant = used.filter(({ kind, name }) => kind === 'dataset' || firsts.has(name))
  const groups = Map.groupBy(relevant, ({ kind, name }) => (kind === 'dataset' ? kind : `scorer ${name}`))
  const found: DifferingVersions[] = []
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue
    const byRef = Map.groupBy([first, ...others], ({ ref }) => ref)
    if (byRef.size < 2) continue
    const versions: DifferingVersions['versions'] = []
    for (const [ref, of] of byRef) {
      const version = await findVersion(objects, reader, ref)
      const ids = of.map(({ evaluationId }) => evaluationId)
      versions.push({ ref, version_index: version?.version_index ?? null, evaluation_call_ids: [...new Set(ids)] })
    }
    found.push({ kind: first.kind, name: first.name, versions })
  }
  return found.sort((a, b) => (a.kind + a.name < b.kind + b.name ? -1 : 1))
}

/** The same in words. */
export const versionWarnings = (differing: readonly DifferingVersions[]): string[] =>
  differing.map(({ kind, name, versions }) => {
    const each = versions.map(({ ref, version_index, evaluation_call_ids: ids }) => {
      const version = version_index === null ? ref : `v${version_index} (${ref})`
      return `${version} in ${ids.length === 1 ? 'run' : 'runs'} ${ids.join(', ')}`
    })
    return kind === 'dataset'
      ? `The runs have different datasets: ${each.join('; ')}`
      : `The runs were scored with different versions of ${name}: ${each.join('; ')}`
  })
