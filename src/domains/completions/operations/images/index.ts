import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { CompletionsServices } from '../services.ts'
import { createImage, createImageRoute } from './create-image.ts'

/** Image generation. */
export const imagesApi = (services: CompletionsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/image/create',
      ({ caller, request, body }) => createImage(services, caller, request.signal, body),
      createImageRoute,
    )
