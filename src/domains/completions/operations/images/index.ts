import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { ImageAnswer, ImageRequest } from '../../model/completions.ts'
import type { CompletionsServices } from '../services.ts'

const description =
  'Generates images with a model. If the generation is tracked as a call, the images are stored as files of ' +
  'the project, and `b64_json` and `url` are replaced by a content object whose `files.content` can be ' +
  'passed to `/file/content`. Errors are reported in `response.error` with status 200.'

const createImageRoute = {
  body: ImageRequest,
  response: { 200: ImageAnswer },
  detail: {
    operationId: 'images.create',
    idempotencyKey: true,
    summary: 'Generate images',
    description,
    tags: ['Images'],
  },
}

async function createImage(
  services: CompletionsServices,
  caller: Caller,
  signal: AbortSignal,
  { project_id, inputs, track_llm_call }: ImageRequest,
): Promise<ImageAnswer> {
  const request = { inputs, track: track_llm_call ?? true }
  const { response, callId } = await services.images.create(caller.write(project_id), request, { signal })
  return { response, ext_call_id: callId }
}

/** Image generation. */
export const imagesApi = (services: CompletionsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/image/create',
      ({ caller, request, body }) => createImage(services, caller, request.signal, body),
      createImageRoute,
    )
