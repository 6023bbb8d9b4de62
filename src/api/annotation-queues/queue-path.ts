import { Type } from '@sinclair/typebox'
import { ProjectId } from '../../model/project-id.ts'

/** Parameters of paths that name a queue. */
export const QueuePath = Type.Object({ queue_id: Type.String() })

/** Query string of operations without a body. */
export const OfProject = Type.Object({ project_id: ProjectId })
