import type { Store } from '../../engine/store.ts'
import { labelsTable } from '../../engine/tables/labels-table.ts'
import { compileLookup } from '../../query/sql/lookup.ts'
import type { ProjectReader } from '../access/caller.ts'
import { sentDigestId } from './label-row.ts'

/**
 * Finds versions by the digest of their content as sent, with external refs. Clients with an
 * offline queue compute refs with that digest if they do not know the internal project ids.
 */
export class SentDigests {
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
