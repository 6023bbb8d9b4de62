import { Type } from '@sinclair/typebox'
import { ProjectId } from '../../kernel/project-id.ts'
import { OpenObject } from '../../model/nullable.ts'

/** Path parameters of operations on one queue. */
export const QueuePath = Type.Object({ queue_id: Type.String() })

/** Query string of operations without a body. */
export const OfProject = OpenObject({ project_id: ProjectId })
