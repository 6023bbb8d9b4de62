import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { RowTables } from '../../tables/row-tables.ts'
import type { DatasetRow, DatasetSource } from './dataset-source.ts'
import type { ObjectSource } from './object-source.ts'

/** Datasets of the project: objects that refer to a table with their rows. */
export class StoredDatasets implements DatasetSource {
  private readonly objects: ObjectSource
  private readonly tables: RowTables

  constructor(objects: ObjectSource, tables: RowTables) {
    this.objects = objects
    this.tables = tables
  }

  async *rows(reader: ProjectReader, ref: string, signal: AbortSignal): AsyncGenerator<DatasetRow> {
    const { table, resolved } = await this.tableOf(reader, ref)
    for await (const batch of this.tables.reader.stream(reader, { digest: table }, signal)) {
      for (const { digest, val: text } of batch) {
        yield { example: `${resolved}/attr/rows/id/${digest}`, row: parseExactly(text) as DatasetRow['row'] }
      }
    }
  }

  async count(reader: ProjectReader, dataset: unknown): Promise<number> {
    const { val, name } =
      typeof dataset === 'string' ? await this.objects.read(reader, dataset) : { val: dataset, name: '' }
    const rows = isJsonObject(val) ? val['rows'] : val
    return Array.isArray(rows) ? rows.length : (await this.tableAt(reader, rows, name)).count
  }

  private async tableOf(
    reader: ProjectReader,
    ref: string,
  ): Promise<{ readonly table: string; readonly resolved: string }> {
    const { val, name, ref: resolved } = await this.objects.read(reader, ref)
    const { table } = await this.tableAt(reader, isJsonObject(val) ? val['rows'] : undefined, name)
    return { table, resolved }
  }

  private async tableAt(
    reader: ProjectReader,
    rows: unknown,
    name: string,
  ): Promise<{ readonly table: string; readonly count: number }> {
    const table = typeof rows === 'string' ? findRef(rows) : undefined
    if (table?.kind !== 'table' || table.projectId !== reader.projectId) {
      throw new DomainError(
        'InvalidRequest',
        `Invalid dataset "${name}": \`rows\` must be a ref to a table in the project`,
      )
    }
    const count = await this.tables.reader.count(reader, table.digest)
    if (count === undefined) throw new DomainError('NotFound', `The table of the dataset "${name}" does not exist`)
    return { table: table.digest, count }
  }
}
