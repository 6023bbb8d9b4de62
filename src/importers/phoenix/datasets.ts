import type { SqliteFile } from '../../platform/sqlite-file.ts'
import { datasetRecord } from '../evaluation/dataset.ts'
import type { ImportRecord } from '../record.ts'

/** Datasets in their latest version. */
export function* phoenixDatasets(database: SqliteFile): Generator<ImportRecord> {
  if (!database.hasTable('datasets')) return
  let older = 0
  for (const { id, name, description } of [
    ...database.rows('SELECT id, name, description FROM datasets ORDER BY id'),
  ]) {
    const rows = [...database.rows(latestExamples, Number(id))].map(({ input, output, metadata }) => ({
      input: JSON.parse(String(input)) as unknown,
      output: JSON.parse(String(output)) as unknown,
      metadata: JSON.parse(String(metadata)) as unknown,
    }))
    const text = description === null || description === undefined ? null : String(description)
    yield datasetRecord({ name: String(name), description: text, rows })
    const versions = database.row('SELECT count(*) AS count FROM dataset_versions WHERE dataset_id = ?', Number(id))
    older += Math.max(0, Number(versions?.['count'] ?? 1) - 1)
  }
  if (older > 0) yield { kind: 'loss', what: 'earlier versions of datasets', count: older }
}

const latestExamples = `
  SELECT r.input, r.output, r.metadata
  FROM dataset_examples e JOIN dataset_example_revisions r ON r.id =
    (SELECT max(n.id) FROM dataset_example_revisions n WHERE n.dataset_example_id = e.id)
  WHERE e.dataset_id = ? AND r.revision_kind <> 'DELETE'
  ORDER BY e.id`
