import { Type } from '@sinclair/typebox'
import { ProjectId } from '../kernel/project-id.ts'
import { OpenObject } from './nullable.ts'

const digest = Type.String({ description: 'SHA-256 of the bytes: 43 letters and digits' })

export const FileReceipt = Type.Object({ digest })

export const FileRequest = OpenObject({ project_id: ProjectId, digest: Type.String({ maxLength: 128 }) })

export const FilesStats = Type.Object({
  total_size_bytes: Type.Integer({ description: 'Bytes of all files of the project, each counted once' }),
})
