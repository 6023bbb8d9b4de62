import { type TObject, type TProperties, Type } from '@sinclair/typebox'
import { ProjectId } from '../../lib/project-id.ts'

/** A body whose `project_id` is optional because the path contains it. */
export const underPath = <P extends TProperties>(schema: TObject<P>) =>
  Type.Composite([Type.Omit(schema, ['project_id']), Type.Object({ project_id: Type.Optional(ProjectId) })], {
    additionalProperties: true,
  })
