import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, OpenObject, passedOn } from '../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { CompletionInputs } from './completions.ts'

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
