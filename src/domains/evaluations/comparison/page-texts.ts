import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { tableRows } from '../../../engine/tables/stored-tables.ts'
import { refPrefixesOf } from '../../../formats/dialect/ref.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import { datasetRowsStatement, failuresStatement, inputsStatement } from '../sql/row-measures.ts'
import type { ComparedRunRows } from './compared-rows.ts'

/** Texts of a page of compared rows, which are not in memory. */
interface PageTexts {
  /** Rows as JSON text by digest. */
  readonly examples: ReadonlyMap<string, string>
  /** Exceptions by call. */
  readonly failures: ReadonlyMap<string, string>
}

/** Reads the dataset rows of a page, and why trials of it failed, by the ids of their calls. */
export async function readPage(
  snapshot: Snapshot,
  reader: ProjectReader,
  {
    rows,
    ids,
    page,
  }: { readonly rows: ComparedRunRows; readonly ids: readonly string[]; readonly page: readonly number[] },
): Promise<PageTexts> {
  const runs = ids.flatMap((id) => rows.run(id) ?? [])
  const digestOf = new Map<string, string>()
  for (const at of page) {
    const trial = runs.map((run) => run.firstTrialAt(at)).find((id) => id !== undefined)
    if (trial !== undefined) digestOf.set(trial, itemAt(rows.digests, at))
  }
  const failed = page.flatMap((at) => runs.flatMap((run) => run.failedCallAt(at) ?? []))
  return {
    examples: await readExamples(snapshot, reader, digestOf),
    failures: await readFailures(snapshot, reader, [...new Set(failed)]),
  }
}

async function readExamples(snapshot: Snapshot, { projectId }: ProjectReader, digestOf: ReadonlyMap<string, string>) {
  const examples = new Map<string, string>()
  const refs = new Set<string>()
  const ids = [...digestOf.keys()]
  if (ids.length === 0) return examples
  const calls = await snapshot.relationWhere(callsTable.name, { id: ids })
  for (const { id, example } of await snapshot.rows(inputsStatement({ calls, projectId }, ids))) {
    const digest = digestOf.get(id)
    if (digest === undefined || example === null) continue
    examples.set(digest, example)
    if (isRowOf(projectId, example)) refs.add(digest)
  }
  if (refs.size === 0) return examples
  const digests = [...refs]
  const datasetRows = snapshot.relation(tableRows.name, { digest: digests })
  for (const { digest, val } of await snapshot.rows(datasetRowsStatement({ datasetRows, projectId }, digests)))
    examples.set(digest, val)
  return examples
}

/** Whether a row is stated as the ref of a row of the project. */
const isRowOf = (projectId: string, example: string): boolean =>
  example.includes('/attr/rows/id/') && refPrefixesOf(projectId).some((prefix) => example.startsWith(`"${prefix}`))

async function readFailures(snapshot: Snapshot, { projectId }: ProjectReader, ids: readonly string[]) {
  const failures = new Map<string, string>()
  if (ids.length === 0) return failures
  const calls = await snapshot.relationWhere(callsTable.name, { id: ids })
  for (const { id, exception } of await snapshot.rows(failuresStatement({ calls, projectId }, ids)))
    if (exception !== null) failures.set(id, exception)
  return failures
}
