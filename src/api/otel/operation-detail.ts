/** OpenAPI: a message in both OTLP encodings. */
export const inBothEncodings = (name: string, description: string) => ({
  description,
  content: {
    'application/x-protobuf': { schema: { type: 'string' as const, format: 'binary', description: name } },
    'application/json': { schema: { type: 'object' as const, description: `${name} (OTLP JSON encoding)` } },
  },
})

/** OpenAPI: the header that names the project of an export. */
export const projectHeader = (description: string) => ({
  name: 'project_id',
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
})
