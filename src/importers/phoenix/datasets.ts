import type { SqliteFile } from '../../runtime/platform/files/sqlite-file.ts'
import { datasetRecord } from '../objects/dataset.ts'
import type { ImportRecord } from '../record.ts'
import { jsonOf, textOrNull } from './values.ts'

/** All versions of datasets, the oldest first. */
export function* phoenixDatasets(database: SqliteFile): Generator<ImportRecord> {
  if (!database.hasTable('datasets')) return
  for (const { id, name, description, version } of [...database.rows(versions)]) {
    const rows = [...examplesAsOf(database, Number(id), Number(version)).values()]
    yield datasetRecord({ name: String(name), description: textOrNull(description), rows })
  }
}

const versions = `
  SELECT d.id, d.name, d.description, v.id AS version
  FROM datasets d JOIN dataset_versions v ON v.dataset_id = d.id ORDER BY d.id, v.id`

/** The examples of a version of a dataset, as rows by the ids of the examples. */
export function examplesAsOf(
  database: SqliteFile,
  datasetId: number,
  versionId: number,
): Map<number, Readonly<Record<string, unknown>>> {
  const rows = [...database.rows(examples, versionId, datasetId)]
  return new Map(
    rows.map(({ id, input, output, metadata }) => [
      Number(id),
      { input: jsonOf(input), output: jsonOf(output), metadata: jsonOf(metadata) },
    ]),
  )
}

const examples = `
  SELECT e.id, r.input, r.output, r.metadata
  FROM dataset_examples e JOIN dataset_example_revisions r ON r.id =
    (SELECT max(n.id) FROM dataset_example_revisions n
     WHERE n.dataset_example_id = e.id AND n.dataset_version_id <= ?)
  WHERE e.dataset_id = ? AND r.revision_kind <> 'DELETE'
  ORDER BY e.id`
