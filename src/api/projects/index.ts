import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { queryProjects, queryProjectsRoute } from './query-projects.ts'

/** Operations across projects. */
export const projectsApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/projects/query',
      ({ caller, request, body }) => queryProjects(services, caller, request, body),
      queryProjectsRoute,
    )
