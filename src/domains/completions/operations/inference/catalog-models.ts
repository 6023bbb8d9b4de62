import { CatalogEntries } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

export const catalogModelsRoute = {
  response: { 200: CatalogEntries },
  detail: {
    operationId: 'inference.catalogModels',
    summary: 'List models with full details',
    tags: ['Inference'],
  },
}

export const catalogModels = async (services: CompletionsServices) => ({
  models: await services.modelCatalog.entries(),
})
