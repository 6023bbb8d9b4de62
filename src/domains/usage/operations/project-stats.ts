import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { ProjectStats, ProjectStatsRequest } from '../model/project-stats.ts'
import type { UsageServices } from './services.ts'

export const projectStatsRoute = {
  body: ProjectStatsRequest,
  response: { 200: ProjectStats },
  detail: {
    operationId: 'projects.stats',
    readOnly: true,
    summary: 'Get the storage size of a project',
    description: 'Sizes are in bytes as sent by clients, before compression.',
    tags: ['Usage'],
  },
}

export const projectStats = (
  services: UsageServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof projectStatsRoute.body>,
) => services.projectSizes.stats(caller.read(body.project_id), body, signal)
