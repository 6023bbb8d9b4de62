import { ModelsDev } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

export const modelsDevRoute = {
  response: { 200: ModelsDev },
  detail: {
    operationId: 'inference.modelsDev',
    summary: 'List providers and models in models.dev format',
    tags: ['Inference'],
  },
}

export const modelsDev = (services: CompletionsServices) => services.modelCatalog.modelsDev()
