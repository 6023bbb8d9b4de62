import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { queryProjects, queryProjectsRoute } from './query-projects.ts'
import type { ProjectsServices } from './services.ts'

/** Operations across projects. */
export const projectsApi = (services: ProjectsServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/projects/query',
      ({ caller, request, body }) => queryProjects(services, caller, request, body),
      queryProjectsRoute,
    )
