import { Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const digest = Type.String({ description: 'SHA-256 of the bytes, as 43 letters and digits' })

export const FileReceipt = Type.Object({ digest })

export const FileRequest = OpenObject({ project_id: ProjectId, digest: Type.String({ maxLength: 128 }) })

export const FilesStats = Type.Object({
  total_size_bytes: Type.Integer({ description: 'Total size of the distinct files of the project' }),
})
