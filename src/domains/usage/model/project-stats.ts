import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const Wanted = Nullable(
  Type.Boolean({ description: 'If false, the size is not computed and reported as 0; defaults to true' }),
)

/** Selects which sizes of a project to compute. */
export const ProjectStatsRequest = OpenObject({
  project_id: ProjectId,
  include_trace_storage_size: Wanted,
  include_object_storage_size: Wanted,
  include_table_storage_size: Wanted,
  include_file_storage_size: Wanted,
})
export type ProjectStatsRequest = Static<typeof ProjectStatsRequest>

/** Sizes of a project in bytes, as sent by clients: JSON text and file contents. */
export const ProjectStats = Type.Object({
  trace_storage_size_bytes: Type.Integer({ description: 'Attributes, inputs, output and summary of calls' }),
  objects_storage_size_bytes: Type.Integer({ description: 'Content of object versions that are not deleted' }),
  tables_storage_size_bytes: Type.Integer({ description: 'Distinct table rows' }),
  files_storage_size_bytes: Type.Integer(),
})
export type ProjectStats = Static<typeof ProjectStats>
