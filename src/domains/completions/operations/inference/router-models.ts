import { Type } from '@sinclair/typebox'
import { RouterModels } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

const vendor = Type.Object({
  vendor: Type.String({ description: 'Requesting application; does not affect the response' }),
})

const description =
  'Lists open-weight models available to completions, from the catalog that ships with the server and the ' +
  "operator's own (`TRACELAKE_MODEL_CATALOG`)."

export const routerModelsRoute = {
  params: vendor,
  response: { 200: RouterModels },
  detail: {
    operationId: 'inference.routerModels',
    summary: 'List models in the format of model routers',
    description,
    tags: ['Inference'],
  },
}

export const analysisModelsRoute = {
  ...routerModelsRoute,
  detail: {
    ...routerModelsRoute.detail,
    operationId: 'inference.analysisModels',
    summary: 'List models in the format of model comparison sites',
  },
}

export const routerModels = async (services: CompletionsServices) => ({
  data: await services.modelCatalog.routerModels(),
})
