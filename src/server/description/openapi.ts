import { KindGuard, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Dialect } from '../../formats/dialect/dialect.ts'
import { answersOf, asSchema } from '../../formats/dialect/schema-parts.ts'
import { version } from '../../lib/version.ts'
import type { DescribedRoute, RouteDetail } from '../requests/operation.ts'
import { errorResponses } from './error-components.ts'
import { type JsonSchema, SchemaComponents } from './schema-components.ts'

/** The OpenAPI 3.1.0 document of `routes`, with names in `dialect`. */
export function describeRoutes(routes: readonly DescribedRoute[], dialect: Dialect): JsonSchema {
  const document = new Document(dialect)
  for (const route of routes) if (route.hooks.detail?.hide !== true) document.add(route)
  return document.finish()
}

class Document {
  private readonly schemas = new SchemaComponents()
  private readonly dialect: Dialect
  private readonly paths: Record<string, Record<string, unknown>> = {}
  private readonly tags = new Set<string>()

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  add({ method, path, hooks }: DescribedRoute): void {
    const {
      hide: _,
      readOnly: __,
      checkedBody: ___,
      idempotencyKey: isIdempotent = false,
      responses,
      ...detail
    } = hooks.detail ?? {}
    const tags = detail.tags ?? [path.split('/')[1] ?? '']
    for (const tag of tags) this.tags.add(tag)
    const parameters = [
      ...this.parameters(hooks.params, 'path'),
      ...this.parameters(hooks.query, 'query'),
      ...(isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ]
    const body = asSchema(hooks.body)
    const operation = {
      operationId: operationIdOf(method, path),
      ...(parameters.length > 0 && { parameters }),
      ...(body !== undefined && { requestBody: { required: !Value.Check(body, {}), content: this.json(body) } }),
      ...detail,
      tags,
      responses: {
        ...this.answers(hooks.response ?? (responses?.['204'] === undefined ? { 200: undefined } : {})),
        ...errorReferences({
          hasBody: body !== undefined || detail.requestBody !== undefined,
          isOpen: detail.security?.length === 0,
          mayConflict: isIdempotent || mayMismatch(body),
          hasFormats: formatsOf(responses) > 1,
        }),
        ...this.stated(responses),
      },
    }
    const template = path.replaceAll(/:(\w+)\??/g, '{$1}')
    this.paths[template] = { ...this.paths[template], [method.toLowerCase()]: operation }
  }

  finish(): JsonSchema {
    const responses = [...errorResponses.values()].map(({ name, description, schema }) => [
      name,
      { description, content: this.json(schema) },
    ])
    return {
      openapi: '3.1.0',
      info: {
        title: 'tracelake',
        version,
        description:
          'Self-hosted tracing and evaluation store for LLM applications, compatible with the W&B Weave API. ' +
          'One process, one folder, open Parquet files.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{ basic: [] }, { bearer: [] }],
      tags: [...this.tags].map((name) => ({ name })),
      paths: this.paths,
      components: {
        securitySchemes: {
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'Use the API key as the password. The user name is ignored.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'Use the API key as the token.' },
        },
        responses: Object.fromEntries(responses),
        parameters: { IdempotencyKey: idempotencyKey },
        schemas: this.schemas.all(),
      },
    }
  }

  private parameters(group: unknown, place: 'path' | 'query'): unknown[] {
    const schema = asSchema(group)
    if (schema === undefined || !KindGuard.IsObject(schema)) return []
    const required = new Set(schema.required)
    return Object.entries(schema.properties).map(([name, member]) => {
      const { description = place === 'path' ? pathParameters[name] : undefined, ...written } = this.write(member)
      return {
        name: place === 'query' ? this.dialect.nameOf(name) : name,
        in: place,
        required: place === 'path' || required.has(name),
        ...(description !== undefined && { description }),
        schema: written,
      }
    })
  }

  private answers(declared: unknown): Record<string, unknown> {
    return Object.fromEntries(
      answersOf(declared).map(([status, schema]) => {
        const description = String(schema?.['description'] ?? 'Success')
        return [status, { description, ...(schema !== undefined && { content: this.json(schema) }) }]
      }),
    )
  }

  /** Responses as a route states them, with the schemas in them. */
  private stated(responses: RouteDetail['responses']): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, response]) => {
        const { content } = response
        if (content === undefined) return [status, response]
        const written = Object.entries(content).map(([type, { schema, ...media }]) => {
          const known = asSchema(schema)
          return [type, { ...media, ...(schema !== undefined && { schema: known ? this.write(known) : schema }) }]
        })
        return [status, { ...response, content: Object.fromEntries(written) }]
      }),
    )
  }

  private json(schema: TSchema): JsonSchema {
    return { 'application/json': { schema: this.write(schema) } }
  }

  private write(schema: TSchema): JsonSchema {
    return this.schemas.write(this.dialect.schemaOf(schema))
  }
}

/** Descriptions of path parameters that many operations share. */
const pathParameters: Readonly<Record<string, string>> = {
  entity: 'Entity: the part of the project id before the slash',
  project: 'Project name: the part of the project id after the slash',
  object_id: 'Object name',
  digest: 'Digest of the version',
  queue_id: 'Annotation queue id',
  item_id: 'Queue item id',
  evaluation_run_id: 'Evaluation run id',
  prediction_id: 'Prediction id',
  score_id: 'Score id',
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value of your choice that makes the request safe to retry. For a day, a request with the same ' +
    'key, body, path and API key returns the original response with the header `Idempotent-Replayed: true` and ' +
    'is not executed again, even after a server crash. Reusing a key with a different body is rejected with ' +
    '422; retrying while the first request is in progress is rejected with 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Statuses of operations that require a key or read stored data. */
const keyed: ReadonlySet<number> = new Set([401, 403, 429, 499, 502, 504, 507])

function errorReferences(route: {
  hasBody: boolean
  isOpen: boolean
  mayConflict: boolean
  hasFormats: boolean
}): Record<string, JsonSchema> {
  const statuses = [...errorResponses].filter(([status]) => {
    if (keyed.has(status)) return !route.isOpen
    if (status === 406) return route.hasFormats
    if (status === 409) return route.mayConflict
    if (status === 413 || status === 415 || status === 501) return route.hasBody
    return true
  })
  return Object.fromEntries(statuses.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]))
}

/** Whether a body may contain an expected digest. */
const mayMismatch = (body: TSchema | undefined): boolean => JSON.stringify(body ?? null).includes('"expected_digest"')

function formatsOf(responses: RouteDetail['responses']): number {
  return Object.keys(responses?.['200']?.content ?? {}).length
}

const operationIdOf = (method: string, path: string): string =>
  [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')].join('_')
