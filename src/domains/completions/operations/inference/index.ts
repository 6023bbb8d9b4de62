import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { CompletionsServices } from '../services.ts'
import { catalogModels, catalogModelsRoute } from './catalog-models.ts'
import { hardware, hardwareRoute } from './hardware.ts'
import { modelsDev, modelsDevRoute } from './models-dev.ts'
import { analysisModelsRoute, routerModels, routerModelsRoute } from './router-models.ts'

/** Information about models. */
export const inferenceApi = (services: CompletionsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .get('/inference/router/:vendor/models', () => routerModels(services), routerModelsRoute)
    .get('/inference/analysis/:vendor/models', () => routerModels(services), analysisModelsRoute)
    .get('/inference/:vendor/v2/hardware', ({ query }) => hardware(services, query), hardwareRoute)
    .get('/inference/catalog/models', () => catalogModels(services), catalogModelsRoute)
    .get('/inference/modelsdev/models', () => modelsDev(services), modelsDevRoute)
