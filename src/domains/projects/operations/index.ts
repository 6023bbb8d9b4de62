import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../access/index.ts'
import { requestContext } from '../../requests/index.ts'
import { Projects, ProjectsRequest } from '../model/projects.ts'
import type { ProjectsServices } from './services.ts'

const queryProjectsRoute = {
  body: ProjectsRequest,
  response: { 200: Projects },
  detail: {
    operationId: 'projects.query',
    readOnly: true,
    summary: 'Query projects',
    description:
      'Returns the projects in the scope of the API key that have calls or objects, the most recently active ' +
      'first, with the activity of the last 24 hours.',
    tags: ['Projects'],
  },
}

const queryProjects = (
  services: ProjectsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryProjectsRoute.body>,
) => services.projects.query(caller.readProjects(), body, signal)

/** Operations across projects. */
export const projectsApi = (services: ProjectsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/projects/query',
      ({ caller, request, body }) => queryProjects(services, caller, request, body),
      queryProjectsRoute,
    )
