import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../limits.ts'
import type { Caller } from '../../model/caller.ts'
import { OpenObject } from '../../model/nullable.ts'
import { internalProjectId, ProjectId } from '../../model/project-id.ts'

const ProjectInfo = Type.Object({ external_project_id: Type.String(), internal_project_id: Type.String() })

export const projectsInfoRoute = {
  body: OpenObject({ project_ids: Type.Array(ProjectId, { maxItems: limits.projectsInfoMax }) }),
  response: { 200: Type.Array(ProjectInfo) },
  detail: {
    operationId: 'service.projectsInfo',
    summary: 'Internal ids of projects',
    description: 'Every project has to be within the reach of the key; whether it exists is not told.',
    tags: ['Service'],
  },
}

export const projectsInfo = (caller: Caller, { project_ids }: Static<typeof projectsInfoRoute.body>) =>
  project_ids.map((id) => {
    const { projectId } = caller.read(id)
    return { external_project_id: projectId, internal_project_id: internalProjectId(projectId) }
  })
