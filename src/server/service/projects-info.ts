import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../domains/access/caller.ts'
import { OpenObject } from '../../formats/schemas/nullable.ts'
import { limits } from '../../lib/limits.ts'
import { internalProjectId, ProjectId } from '../../lib/project-id.ts'

const ProjectInfo = Type.Object({ external_project_id: Type.String(), internal_project_id: Type.String() })

export const projectsInfoRoute = {
  body: OpenObject({ project_ids: Type.Array(ProjectId, { maxItems: limits.projectsInfoMax }) }),
  response: { 200: Type.Array(ProjectInfo) },
  detail: {
    operationId: 'service.projectsInfo',
    readOnly: true,
    summary: 'Get internal project ids',
    description:
      'All projects must be within the scope of the API key. The response does not reveal whether a project ' +
      'exists.',
    tags: ['Service'],
  },
}

export const projectsInfo = (caller: Caller, { project_ids }: Static<typeof projectsInfoRoute.body>) =>
  project_ids.map((id) => {
    const { projectId } = caller.read(id)
    return { external_project_id: projectId, internal_project_id: internalProjectId(projectId) }
  })
