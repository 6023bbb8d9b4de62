import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { createImage, createImageRoute } from './create-image.ts'

/** Image generation. */
export const imagesApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/image/create',
      ({ caller, request, body }) => createImage(services, caller, request.signal, body),
      createImageRoute,
    )
