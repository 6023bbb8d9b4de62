import { Type } from '@sinclair/typebox'
import { RouterModels } from '../../model/inference.ts'
import type { Services } from '../../services.ts'

const vendor = Type.Object({ vendor: Type.String({ description: 'who takes the list; all get the same' }) })

const description = `Models with open weights that completions can ask, and those of the operator's file (\`TRACELAKE_MODEL_CATALOG\`), from a list that ships with
the server.`

export const routerModelsRoute = {
  params: vendor,
  response: { 200: RouterModels },
  detail: {
    operationId: 'inference.routerModels',
    summary: 'Models in the form that routers take',
    description,
    tags: ['Inference'],
  },
}

export const analysisModelsRoute = {
  ...routerModelsRoute,
  detail: {
    ...routerModelsRoute.detail,
    operationId: 'inference.analysisModels',
    summary: 'Models in the form that sites which compare models take',
  },
}

export const routerModels = async (services: Services) => ({ data: await services.modelCatalog.routerModels() })
