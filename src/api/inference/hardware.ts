import { type Static, Type } from '@sinclair/typebox'
import { HardwareOptions } from '../../model/inference.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const hardwareRoute = {
  params: Type.Object({ vendor: Type.String({ description: 'Requesting application; does not affect the response' }) }),
  query: OpenObject({ model: Type.String({ minLength: 1, description: 'Model name without its publisher' }) }),
  response: { 200: HardwareOptions },
  detail: {
    operationId: 'inference.hardware',
    summary: 'List providers and prices of a model',
    description: 'Empty for unknown models.',
    tags: ['Inference'],
  },
}

export const hardware = async (services: Services, { model }: Static<typeof hardwareRoute.query>) => ({
  hardware: await services.modelCatalog.hardware(model),
})
