import { limits } from '../../limits.ts'
import type { ProjectReader } from '../../model/caller.ts'
import { compileContents, compileSizes } from '../../query/sql/objects/versions.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { parseExactly } from '../../wire/exact-json.ts'
import { objectsTable } from './objects-table.ts'
import { versionId } from './version-row.ts'
import { bySize } from './version-windows.ts'

/** Reads the content of versions, apart from everything else about them: nothing else has to carry it along. */
export class VersionContents {
  private readonly store: Store
  private readonly queryTimeoutMs: number

  constructor({ store, queryTimeoutMs }: { store: Store; queryTimeoutMs: number }) {
    this.store = store
    this.queryTimeoutMs = queryTimeoutMs
  }

  /**
   * Content of versions given by digest, under `object_id:digest`, some at a time, so that large ones do not lie in memory together; those
   * that never existed are left out.
   */
  async *contentsOf(
    { projectId }: ProjectReader,
    names: readonly { readonly object_id: string; readonly digest: string }[],
  ): AsyncGenerator<Map<string, { readonly isDeleted: boolean; readonly val: unknown }>> {
    const ids = [...new Set(names.map(({ object_id, digest }) => versionId(object_id, digest)))]
    for (let from = 0; from < ids.length; from += limits.filterValuesMax) {
      const some = ids.slice(from, from + limits.filterValuesMax)
      for (const light of await this.lightRuns(projectId, some)) {
        const texts = await this.textsOf(projectId, light)
        yield new Map(
          [...texts].map(([id, text]) => [id, { isDeleted: text === null, val: parseExactly(text ?? 'null') }]),
        )
      }
    }
  }

  /** The ids in runs whose contents together are of a size that memory holds lightly. Few are surely light enough. */
  private async lightRuns(projectId: string, ids: readonly string[]): Promise<(readonly string[])[]> {
    if (ids.length <= limits.contentsUnweighed) return [ids]
    await using snapshot = await this.store.snapshot([objectsTable.name])
    const relation = snapshot.relation(objectsTable.name, { projectId, anyOf: new Map([['id', ids]]) })
    const rows = await snapshot.reader.rows(compileSizes(projectId, ids, relation), this.limits)
    const weighed = rows.map(([id, sizeBytes]) => ({ id: id as string, sizeBytes: sizeBytes as number }))
    return [...bySize(weighed)].map((run) => run.map(({ id }) => id))
  }

  private async textsOf(projectId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    await using snapshot = await this.store.snapshot([objectsTable.name])
    return await this.textsIn(snapshot, projectId, ids)
  }

  /** JSON text of content by id of the version; null where it is deleted. */
  async textsIn(snapshot: Snapshot, projectId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    const texts = new Map<string, string | null>()
    for (let from = 0; from < ids.length; from += limits.filterValuesMax) {
      const some = ids.slice(from, from + limits.filterValuesMax)
      const relation = snapshot.relation(objectsTable.name, { projectId, anyOf: new Map([['id', some]]) })
      const rows = await snapshot.reader.rows(compileContents(projectId, some, relation), this.limits)
      for (const [id, text] of rows) texts.set(id as string, text as string | null)
    }
    return texts
  }

  private get limits() {
    return { timeoutMs: this.queryTimeoutMs }
  }
}
