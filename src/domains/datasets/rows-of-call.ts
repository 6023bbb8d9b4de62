import { datasetLimits } from '../../lib/limits/datasets.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ObjectBuilder } from '../objects/index.ts'
import type { DatasetVersions } from './dataset-versions.ts'
import type { RowOfCall } from './model/datasets.ts'

/**
 * The rows of the latest versions of datasets that hold the ref of a call. See
 * docs/decisions/237-rows-of-a-call.md.
 */
export async function rowsOfCall(
  reader: ProjectReader,
  callId: string,
  { builder, versions }: { readonly builder: ObjectBuilder; readonly versions: DatasetVersions },
): Promise<RowOfCall[]> {
  const tables = builder.tables.reader
  const ref = `/${reader.projectId}/call/${callId}`
  const digests = await tables.mentioning(reader, ref, datasetLimits.rowsOfCallMax)
  // Most calls are in no dataset.
  if (digests.length === 0) return []
  const latest = await builder.objects.query(reader, {
    filter: { base_object_classes: ['Dataset'], latest_only: true },
    limit: datasetLimits.datasetsOfCallMax,
  })
  const rows: RowOfCall[] = []
  for (const { version, table } of versions.withTables(reader, latest)) {
    const { object_id, digest, version_index } = version
    for (const { digest: row_digest, position } of await tables.positions(reader, table, digests))
      rows.push({ object_id, digest, version_index, row_index: position, row_digest })
  }
  return rows.sort((a, b) =>
    a.object_id < b.object_id ? -1 : a.object_id > b.object_id ? 1 : a.row_index - b.row_index,
  )
}
