/**
 * Requests to model providers: completions, images, the model catalog. Other code imports this
 * subject through this file.
 */

export type { Completions } from './completions.ts'
export { ModelCatalog } from './inference/model-catalog.ts'
export type { Runtime, RuntimePut } from './model/inference.ts'
export { openProviders } from './open-providers.ts'
export { completionsApi } from './operations/completions/index.ts'
export { imagesApi } from './operations/images/index.ts'
export { inferenceApi } from './operations/inference/index.ts'
export { fillMessages, promptMessages } from './prompt-messages.ts'
export { CompletionRefused } from './provider-error.ts'
export { liveObjects, type ProviderObjects } from './provider-objects.ts'
export { Runtimes } from './runtimes/runtimes.ts'
