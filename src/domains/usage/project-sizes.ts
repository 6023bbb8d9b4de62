import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { filesTable } from '../../engine/tables/files-table.ts'
import { objectsTable } from '../../engine/tables/objects-table.ts'
import { tableRows } from '../../engine/tables/stored-tables.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import { compileSum } from '../../query/sql/lookup.ts'
import type { ProjectReader } from '../access/index.ts'
import type { ProjectStats, ProjectStatsRequest } from './model/usage.ts'

const statistics = [
  {
    requested: 'include_trace_storage_size',
    name: 'trace_storage_size_bytes',
    table: callsTable,
    column: 'payload_bytes',
  },
  {
    requested: 'include_object_storage_size',
    name: 'objects_storage_size_bytes',
    table: objectsTable,
    column: 'size_bytes',
  },
  {
    requested: 'include_table_storage_size',
    name: 'tables_storage_size_bytes',
    table: tableRows,
    column: 'size_bytes',
  },
  { requested: 'include_file_storage_size', name: 'files_storage_size_bytes', table: filesTable, column: 'size_bytes' },
] as const

/** Storage sizes of a project, summed over integer columns without reading payloads. */
export class ProjectSizes {
  private readonly store: Store

  constructor({ store }: { readonly store: Store }) {
    this.store = store
  }

  /**
   * Bytes by kind; 0 for kinds that are not requested. @throws DomainError InvalidRequest if none
   * is requested
   */
  async stats(reader: ProjectReader, request: ProjectStatsRequest, signal: AbortSignal): Promise<ProjectStats> {
    const wanted = statistics.filter(({ requested }) => request[requested] !== false)
    if (wanted.length === 0) {
      throw new DomainError('InvalidRequest', `Nothing requested: set at least one of ${names.join(', ')}`)
    }
    const { projectId } = reader
    return await this.store.read(
      wanted.map(({ table }) => table.name),
      { projectId, signal },
      async (snapshot) => {
        const sizes: Record<(typeof statistics)[number]['name'], number> = {
          trace_storage_size_bytes: 0,
          objects_storage_size_bytes: 0,
          tables_storage_size_bytes: 0,
          files_storage_size_bytes: 0,
        }
        for (const { name, table, column } of wanted) {
          const relation = snapshot.relation(table.name)
          const sql = compileSum({ relation, projectId }, column)
          sizes[name] = itemAt(await snapshot.rows(sql), 0).sum
        }
        return sizes
      },
    )
  }
}

const names = statistics.map(({ requested }) => requested)
