import { findRef } from '../../dialect/parsed-ref.ts'
import type { ProjectReader } from '../../foundation/access/caller.ts'
import { isJsonObject } from '../../kernel/json-value.ts'
import type { Objects } from './objects.ts'

/**
 * The JSON Schema of the annotation spec at a ref; undefined if it does not exist in the project.
 */
export async function findAnnotationSchema(objects: Objects, reader: ProjectReader, text: string): Promise<unknown> {
  const ref = findRef(text)
  if (ref?.kind !== 'object' || ref.projectId !== reader.projectId) return undefined
  const spec = await objects.find(reader, { object_id: ref.name, digest: ref.version, kind: 'object' })
  if (spec === undefined || spec.deleted_at !== null || spec.leaf_object_class !== 'AnnotationSpec') return undefined
  // Without a schema, any value is valid.
  return isJsonObject(spec.val) ? (spec.val['field_schema'] ?? true) : undefined
}
