import { post } from '../api/client.ts'

/** What a reviewer fills in. */
export type FieldKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice' | 'several'; readonly options: readonly string[] }
  | { readonly kind: 'scale'; readonly low: number; readonly high: number }
  | { readonly kind: 'number' | 'text' }

/** A question of a form: a version of an annotation spec. */
export interface ReviewField {
  /** Ref of the annotation spec. */
  readonly ref: string
  readonly name: string
  readonly description: string
  readonly of: FieldKind
}

interface Schema {
  readonly type?: unknown
  readonly enum?: unknown
  readonly items?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value: unknown): value is Schema => isObject(value)
const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string') ? value : undefined

/** Longer scales are typed as numbers. */
const scaleStepsMax = 10

/** How a field is filled in that has this JSON Schema. */
export function kindOfSchema(schema: unknown): FieldKind {
  if (!isSchema(schema)) return { kind: 'text' }
  const options = textsOf(schema.enum)
  if (options) return { kind: 'choice', options }
  const several = schema.type === 'array' && isSchema(schema.items) ? textsOf(schema.items.enum) : undefined
  if (several) return { kind: 'several', options: several }
  if (schema.type === 'boolean') return { kind: 'boolean' }
  const { minimum: low, maximum: high } = schema
  if (schema.type === 'integer' && typeof low === 'number' && typeof high === 'number' && high - low < scaleStepsMax)
    return { kind: 'scale', low, high }
  return { kind: schema.type === 'integer' || schema.type === 'number' ? 'number' : 'text' }
}

/** The JSON Schema of a field. */
export function schemaOf(of: FieldKind): object {
  switch (of.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: of.options }
    case 'several':
      return { type: 'array', items: { type: 'string', enum: of.options }, uniqueItems: true }
    case 'scale':
      return { type: 'integer', minimum: of.low, maximum: of.high }
    case 'number':
      return { type: 'number' }
    case 'text':
      return { type: 'string' }
  }
}

/** The questions of a form, in its order. Specs that are gone are left out. */
export const fieldsQuery = (projectId: string, refs: readonly string[]) => ({
  queryKey: ['annotation specs', projectId, refs.join(' ')],
  enabled: refs.length > 0,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly ReviewField[]> => {
    const { vals } = await post<{ vals: unknown[] }>('/refs/read_batch', { refs }, { signal })
    return refs.flatMap((ref, index) => {
      const spec = vals[index]
      if (!isObject(spec)) return []
      const own = 'name' in spec && typeof spec.name === 'string' ? spec.name : ''
      return [
        {
          ref,
          name: own || nameInRef(ref),
          description: 'description' in spec && typeof spec.description === 'string' ? spec.description : '',
          of: kindOfSchema('field_schema' in spec ? spec.field_schema : undefined),
        },
      ]
    })
  },
})

const nameInRef = (ref: string): string => /\/object\/([^:/]+):/.exec(ref)?.[1] ?? ref

/** A name that objects may have. */
const objectName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100) || 'question'

/** Stores a question. @returns the ref of its annotation spec @throws {Problem} */
export async function createField(projectId: string, name: string, of: FieldKind): Promise<string> {
  const id = objectName(name)
  const val = {
    _type: 'AnnotationSpec',
    _class_name: 'AnnotationSpec',
    _bases: ['Object', 'BaseModel'],
    name,
    field_schema: schemaOf(of),
  }
  const body = { obj: { project_id: projectId, object_id: id, val } }
  const { digest } = await post<{ digest: string }>('/obj/create', body)
  return `ext:///${projectId}/object/${encodeURIComponent(id)}:${digest}`
}
