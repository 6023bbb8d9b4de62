import { type Static, Type } from '@sinclair/typebox'
import { HardwareOptions } from '../../model/inference.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const hardwareRoute = {
  params: Type.Object({ vendor: Type.String({ description: 'who asks; all get the same' }) }),
  query: OpenObject({ model: Type.String({ minLength: 1, description: 'name of the model without its publisher' }) }),
  response: { 200: HardwareOptions },
  detail: {
    operationId: 'inference.hardware',
    summary: 'Where a model runs, and what it costs there',
    description: 'Empty for a model that is not known.',
    tags: ['Inference'],
  },
}

export const hardware = async (services: Services, { model }: Static<typeof hardwareRoute.query>) => ({
  hardware: await services.modelCatalog.hardware(model),
})
