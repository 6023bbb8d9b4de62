import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { labelsTable, objectsTable } from '../../engine/tables/objects-table.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { valueAt } from '../../lib/present.ts'
import { compileLookup } from '../../query/sql/lookup.ts'
import type { ProjectReader } from '../access/index.ts'
import { compileContents, compileSizes } from './sql/versions.ts'
import { sentDigestId, versionId } from './version-row.ts'
import { bySize } from './version-windows.ts'

/**
 * Finds versions by the digest of their content as sent, with external refs. Clients with an
 * offline queue compute refs with that digest if they do not know the internal project ids.
 */
class SentDigests {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /**
   * Digests that versions are stored under, in the order of `names`; undefined if `digest` is not
   * that of content as sent.
   */
  async stored(
    { projectId }: ProjectReader,
    names: readonly { readonly object_id: string; readonly digest: string }[],
  ): Promise<(string | undefined)[]> {
    if (names.length === 0) return []
    const ids = names.map(({ object_id, digest }) => sentDigestId(object_id, digest))
    const keys = [...new Set(ids)]
    return await this.store.read([labelsTable.name], { projectId }, async (snapshot) => {
      const relation = snapshot.relation(labelsTable.name, { id: keys })
      const { columns, read } = labelsTable.select('id', 'digest')
      const sql = compileLookup({ relation, projectId }, { columns, keyColumn: 'id', keys })
      const rows = await snapshot.rows(sql)
      const found = new Map(rows.map(read).map(({ id, digest }) => [id, digest]))
      return ids.map((id) => found.get(id))
    })
  }
}

/** Reads the content of versions separately, so that nothing else has to carry it along. */
export class VersionContents {
  private readonly store: Store
  readonly sentDigests: SentDigests

  constructor({ store }: { store: Store }) {
    this.store = store
    this.sentDigests = new SentDigests({ store })
  }

  /**
   * Contents of versions by digest, keyed by `object_id:digest`, in batches so that large ones are
   * not in memory together; unknown versions are omitted.
   */
  async *contentsOf(
    reader: ProjectReader,
    names: readonly { readonly object_id: string; readonly digest: string }[],
  ): AsyncGenerator<Map<string, { readonly isDeleted: boolean; readonly val: unknown }>> {
    const byId = new Map(names.map((name) => [versionId(name.object_id, name.digest), name]))
    const ids = [...byId.keys()]
    for (let from = 0; from < ids.length; from += operationLimits.filterValuesMax) {
      const missing = new Set(ids.slice(from, from + operationLimits.filterValuesMax))
      for await (const texts of this.lightTexts(reader.projectId, [...missing])) {
        for (const id of texts.keys()) missing.delete(id)
        yield new Map([...texts].map(([id, text]) => [id, contentOf(text)]))
      }
      const rest = [...missing].map((id) => valueAt(byId, id))
      const stored = await this.sentDigests.stored(reader, rest)
      const known = rest.flatMap((name, index) => (stored[index] === undefined ? [] : [[name, stored[index]] as const]))
      const sentAs = Map.groupBy(known, ([name, digest]) => versionId(name.object_id, digest))
      for await (const texts of this.lightTexts(reader.projectId, [...sentAs.keys()])) {
        yield new Map(
          [...texts].flatMap(([id, text]) =>
            valueAt(sentAs, id).map(([name]) => [versionId(name.object_id, name.digest), contentOf(text)]),
          ),
        )
      }
    }
  }

  private async *lightTexts(projectId: string, ids: readonly string[]): AsyncGenerator<Map<string, string | null>> {
    if (ids.length === 0) return
    for (const light of await this.lightRuns(projectId, ids)) yield await this.textsOf(projectId, light)
  }

  /**
   * Splits the ids into runs whose contents fit in memory easily. A few are always light enough.
   */
  private async lightRuns(projectId: string, ids: readonly string[]): Promise<(readonly string[])[]> {
    if (ids.length <= operationLimits.contentsUnweighed) return [ids]
    return await this.store.read([objectsTable.name], { projectId }, async (snapshot) => {
      const relation = snapshot.relation(objectsTable.name, { id: ids })
      const rows = await snapshot.rows(compileSizes(projectId, ids, relation))
      return [...bySize(rows)].map((run) => run.map(({ id }) => id))
    })
  }

  private async textsOf(projectId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    return await this.store.read([objectsTable.name], { projectId }, (snapshot) =>
      this.textsIn(snapshot, projectId, ids),
    )
  }

  /** JSON text of contents by version id; null if deleted. */
  async textsIn(snapshot: Snapshot, projectId: string, ids: readonly string[]): Promise<Map<string, string | null>> {
    const texts = new Map<string, string | null>()
    for (let from = 0; from < ids.length; from += operationLimits.filterValuesMax) {
      const some = ids.slice(from, from + operationLimits.filterValuesMax)
      const relation = snapshot.relation(objectsTable.name, { id: some })
      const rows = await snapshot.rows(compileContents(projectId, some, relation))
      for (const { id, val } of rows) texts.set(id, val)
    }
    return texts
  }
}

const contentOf = (text: string | null) => ({ isDeleted: text === null, val: parseExactly(text ?? 'null') })
