import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { HardwareOptions } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

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

export const hardware = async (services: CompletionsServices, { model }: Static<typeof hardwareRoute.query>) => ({
  hardware: await services.modelCatalog.hardware(model),
})
