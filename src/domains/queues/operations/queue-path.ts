import { Type } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../lib/project-id.ts'

/** Path parameters of operations on one queue. */
export const QueuePath = Type.Object({ queue_id: Type.String() })

/** Query string of operations without a body. */
export const OfProject = OpenObject({ project_id: ProjectId })
