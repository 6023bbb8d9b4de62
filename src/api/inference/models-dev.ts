import { ModelsDev } from '../../model/inference.ts'
import type { Services } from '../../services.ts'

export const modelsDevRoute = {
  response: { 200: ModelsDev },
  detail: {
    operationId: 'inference.modelsDev',
    summary: 'Providers and their models, in the form of models.dev',
    tags: ['Inference'],
  },
}

export const modelsDev = (services: Services) => services.modelCatalog.modelsDev()
