import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { OpenObject } from '../../../../formats/schemas/members.ts'
import { requestContext } from '../../../requests/index.ts'
import { CatalogEntries, HardwareOptions, ModelsDev, RouterModels } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

const vendor = Type.Object({
  vendor: Type.String({ description: 'Requesting application; does not affect the response' }),
})

const description =
  'Lists open-weight models available to completions, from the catalog that ships with the server and the ' +
  "operator's own (`TRACELAKE_MODEL_CATALOG`)."

const routerModelsRoute = {
  params: vendor,
  response: { 200: RouterModels },
  detail: {
    operationId: 'inference.routerModels',
    summary: 'List models in the format of model routers',
    description,
    tags: ['Inference'],
  },
}

const analysisModelsRoute = {
  ...routerModelsRoute,
  detail: {
    ...routerModelsRoute.detail,
    operationId: 'inference.analysisModels',
    summary: 'List models in the format of model comparison sites',
  },
}

const routerModels = async (services: CompletionsServices) => ({
  data: await services.modelCatalog.routerModels(),
})

const hardwareRoute = {
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

const hardware = async (services: CompletionsServices, { model }: Static<typeof hardwareRoute.query>) => ({
  hardware: await services.modelCatalog.hardware(model),
})

const catalogModelsRoute = {
  response: { 200: CatalogEntries },
  detail: {
    operationId: 'inference.catalogModels',
    summary: 'List models with full details',
    tags: ['Inference'],
  },
}

const catalogModels = async (services: CompletionsServices) => ({
  models: await services.modelCatalog.entries(),
})

const modelsDevRoute = {
  response: { 200: ModelsDev },
  detail: {
    operationId: 'inference.modelsDev',
    summary: 'List providers and models in models.dev format',
    tags: ['Inference'],
  },
}

const modelsDev = (services: CompletionsServices) => services.modelCatalog.modelsDev()

/** Information about models. */
export const inferenceApi = (services: CompletionsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .get('/inference/router/:vendor/models', () => routerModels(services), routerModelsRoute)
    .get('/inference/analysis/:vendor/models', () => routerModels(services), analysisModelsRoute)
    .get('/inference/:vendor/v2/hardware', ({ query }) => hardware(services, query), hardwareRoute)
    .get('/inference/catalog/models', () => catalogModels(services), catalogModelsRoute)
    .get('/inference/modelsdev/models', () => modelsDev(services), modelsDevRoute)
