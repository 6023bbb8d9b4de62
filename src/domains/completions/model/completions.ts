import { type Static, Type } from '@sinclair/typebox'
import { FreeObject, Nullable, NullableText, OpenObject, passedOn } from '../../../formats/schemas/members.ts'
import { ProjectId } from '../../../lib/project-id.ts'

const Text = Type.String()

/**
 * Parameters of OpenAI chat completions, plus our own. Members not listed here are passed to the
 * provider.
 */
export const CompletionInputs = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 1024 }),
    messages: Nullable(Type.Array(FreeObject)),
    prompt: Type.Optional(
      Type.Union([Text, Type.Null()], {
        description: 'Prompt ref, `name:version` or `name`; its messages are prepended to `messages`',
      }),
    ),
    template_vars: Type.Optional(
      Type.Union([FreeObject, Type.Null()], {
        description: 'Values for `{name}` placeholders in all messages except those of the assistant',
      }),
    ),
    extra_headers: Type.Optional(
      Type.Union([FreeObject, Type.Null()], {
        description: 'Additional headers for the provider; `api_key` overrides the stored API key',
      }),
    ),
    timeout: Type.Optional(Type.Unknown({ description: 'Timeout of the whole request in seconds' })),
    api_version: Type.Optional(Type.Unknown({ description: 'API version (Azure)' })),
  },
  passedOn,
)
export type CompletionInputs = Static<typeof CompletionInputs> & Readonly<Record<string, unknown>>

export const CompletionRequest = OpenObject({
  project_id: ProjectId,
  inputs: CompletionInputs,
  track_llm_call: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { default: true, description: 'Record the completion as a call' }),
  ),
  trace_id: Nullable(Text),
  parent_id: Nullable(Text),
  conversation_id: Nullable(Text),
  conversation_name: Nullable(Text),
  source: Nullable(
    Type.String({
      description: 'Where the request comes from; calls of `playground` have that kind and an op of their own',
    }),
  ),
  retry: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      default: true,
      description: 'Repeat the request after errors of the provider that may pass; `false` reports the first one',
    }),
  ),
})
export type CompletionRequest = Static<typeof CompletionRequest>

/** Ids of a tracked completion, all null otherwise. `span_id` is also the id of the call. */
const CompletionIds = Type.Object({
  ext_call_id: NullableText,
  span_id: NullableText,
  trace_id: NullableText,
  conversation_id: NullableText,
})

/** A provider's answer that reports an error. */
const ProviderAnswer = Type.Object(
  {
    status: Type.Integer({ description: 'HTTP status' }),
    retry_after_ms: Type.Union([Type.Number(), Type.Null()], {
      description: 'Milliseconds that the provider asks to wait; null if it does not',
    }),
    body: Type.String({ description: 'The body as sent, truncated, without the API key' }),
  },
  { description: 'Only if the provider answered with an error status' },
)
export type ProviderAnswer = Static<typeof ProviderAnswer>

/** A line of a streamed completion. */
export const CompletionLine = Type.Union([
  Type.Object({ _meta: CompletionIds }),
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      { choices: Type.Array(Type.Unknown()) },
      { additionalProperties: true, description: "The provider's `chat.completion.chunk`" },
    ),
  ),
  Type.Object({ error: Type.String(), provider_answer: Type.Optional(ProviderAnswer) }),
])

export const CompletionAnswer = Type.Composite([
  Type.Object({
    response: Type.Unsafe<Record<string, unknown>>(
      Type.Object(
        {},
        { additionalProperties: true, description: 'An OpenAI `chat.completion` object, or `{"error": text}`' },
      ),
    ),
  }),
  CompletionIds,
])
export type CompletionAnswer = Static<typeof CompletionAnswer>

const { model, extra_headers, timeout } = CompletionInputs.properties

/**
 * Parameters of an image model. Members not listed here (`quality`, `background`, …) are passed to
 * the provider.
 */
export const ImageInputs = Type.Object(
  { model, prompt: Type.String(), n: Nullable(Type.Integer({ minimum: 1, maximum: 10 })), extra_headers, timeout },
  passedOn,
)
export type ImageInputs = Static<typeof ImageInputs> & Readonly<Record<string, unknown>>

export const ImageRequest = OpenObject({
  project_id: ProjectId,
  inputs: ImageInputs,
  ext_user_id: Nullable(Type.String({ description: 'Set by the server; clients omit it' })),
  track_llm_call: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { default: true, description: 'Record the generation as a call' }),
  ),
})
export type ImageRequest = Static<typeof ImageRequest>

export const ImageAnswer = Type.Object({
  response: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The provider\'s response with its images replaced by content objects, or `{"error": text}`',
      },
    ),
  ),
  ext_call_id: NullableText,
})
export type ImageAnswer = Static<typeof ImageAnswer>
