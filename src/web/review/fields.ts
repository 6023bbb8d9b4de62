import { post } from '../api/client.ts'

/** What a reviewer fills in. */
export type FieldKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice' | 'several'; readonly options: readonly string[] }
  | { readonly kind: 'scale'; readonly low: number; readonly high: number }
  | { readonly kind: 'number' | 'text' }
  /** What the output should have been. */
  | { readonly kind: 'correction' }
  /** Passages of inputs and output, each with a label. */
  | { readonly kind: 'spans'; readonly options: readonly string[] }
  /** Which of the two calls of an item is better. */
  | { readonly kind: 'preference' }

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
  readonly format?: unknown
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

/** A scale has at most so many steps; longer ones are typed as numbers. */
export const scaleStepsMax = 10

/**
 * Formats of the schemas of kinds that JSON Schema has no word for. A client that does not know
 * them sees their types: a text or a list. docs/guide/feedback.md describes them.
 */
const formats = { correction: 'corrected-output', spans: 'text-spans', preference: 'preferred-call' } as const

/** How a field is filled in that has this JSON Schema. */
export function kindOfSchema(schema: unknown): FieldKind {
  if (!isSchema(schema)) return { kind: 'text' }
  if (schema.format === formats.correction) return { kind: 'correction' }
  if (schema.format === formats.preference) return { kind: 'preference' }
  if (schema.format === formats.spans) {
    const labels = memberOf(memberOf(memberOf(schema.items, 'properties'), 'label'), 'enum')
    return { kind: 'spans', options: textsOf(labels) ?? [] }
  }
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

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

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
    case 'correction':
      return { type: ['string', 'object', 'array', 'number', 'boolean', 'null'], format: formats.correction }
    case 'preference':
      return { type: 'string', format: formats.preference }
    case 'spans':
      return {
        type: 'array',
        format: formats.spans,
        items: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            start: { type: 'integer', minimum: 0 },
            end: { type: 'integer', minimum: 1 },
            text: { type: 'string' },
            label: { type: 'string', ...(of.options.length > 0 && { enum: of.options }) },
          },
          required: ['path', 'start', 'end', 'text', 'label'],
        },
      }
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
export async function createField(
  projectId: string,
  question: { readonly name: string; readonly description: string; readonly of: FieldKind },
): Promise<string> {
  const [name, description] = [question.name.trim(), question.description.trim()]
  const id = objectName(name)
  const val = {
    _type: 'AnnotationSpec',
    _class_name: 'AnnotationSpec',
    _bases: ['Object', 'BaseModel'],
    name,
    ...(description !== '' && { description }),
    field_schema: schemaOf(question.of),
  }
  const body = { obj: { project_id: projectId, object_id: id, val } }
  const { digest } = await post<{ digest: string }>('/obj/create', body)
  return `ext:///${projectId}/object/${encodeURIComponent(id)}:${digest}`
}
