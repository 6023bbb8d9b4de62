import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { eraseProject, eraseProjectRoute } from './erase-project.ts'
import { queryErasures, queryErasuresRoute } from './query-erasures.ts'
import { readRetention, readRetentionRoute } from './read-retention.ts'
import type { RetentionServices } from './services.ts'
import { setRetention, setRetentionRoute } from './set-retention.ts'

/** For how long projects keep their data, and removing it. */
export const retentionApi = (services: RetentionServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/retention/read', ({ caller, body }) => readRetention(services, caller, body), readRetentionRoute)
    .post('/retention/set', ({ caller, body }) => setRetention(services, caller, body), setRetentionRoute)
    .post('/projects/erase', ({ caller, body }) => eraseProject(services, caller, body), eraseProjectRoute)
    .post('/erasures/query', ({ caller, body }) => queryErasures(services, caller, body), queryErasuresRoute)
