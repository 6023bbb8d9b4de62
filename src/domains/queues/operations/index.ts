import { Elysia } from 'elysia'
import { finalAnswersApi } from './final-answers.ts'
import { queueItemsApi } from './items.ts'
import { queuesApi } from './queues.ts'
import { queueReviewApi } from './review.ts'
import type { QueuesServices } from './services.ts'

/** Annotation queue operations. */
export const annotationQueuesApi = (services: QueuesServices) =>
  new Elysia({ normalize: false })
    .use(queuesApi(services))
    .use(queueItemsApi(services))
    .use(queueReviewApi(services))
    .use(finalAnswersApi(services))
