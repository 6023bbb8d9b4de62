import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OpenObject } from '../../../formats/schemas/members.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { Time, TimeText } from '../../../lib/time.ts'

export const ObjectUsesRequest = OpenObject({
  project_id: ProjectId,
  object_ids: Nullable(
    Type.Array(Type.String(), {
      maxItems: operationLimits.usedObjectsMax,
      description: 'Names of objects; all objects that calls used if omitted',
    }),
  ),
  start: Time,
  end: Nullable(Time),
})
export type ObjectUsesRequest = Static<typeof ObjectUsesRequest>

export const ObjectUses = Type.Object({
  start: TimeText,
  end: TimeText,
  objects: Type.Array(
    Type.Object({
      object_id: Type.String(),
      calls: Type.Integer({ description: 'Calls whose inputs have a ref to any version; each counts once' }),
      errors: Type.Integer({ description: 'How many of them failed' }),
    }),
    { description: 'Objects that were used, those with most calls first' },
  ),
  versions: Type.Array(
    Type.Object({
      object_id: Type.String(),
      digest: Type.String({ description: 'As in the refs' }),
      calls: Type.Integer(),
      errors: Type.Integer(),
    }),
    { description: 'Versions that were used, those with most calls first' },
  ),
  is_cut: Type.Boolean({ description: `Whether more than ${operationLimits.usedVersionsMax} versions were used` }),
})
export type ObjectUses = Static<typeof ObjectUses>
