import type { Static } from '@sinclair/typebox'
import { OpenObject } from '../../../formats/schemas/nullable.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Caller } from '../../access/caller.ts'
import { FilesStats } from '../model/files.ts'
import type { FilesServices } from './services.ts'

export const filesStatsRoute = {
  body: OpenObject({ project_id: ProjectId }),
  response: { 200: FilesStats },
  detail: {
    operationId: 'files.stats',
    readOnly: true,
    summary: 'Get the total file size of a project',
    tags: ['Files'],
  },
}

export async function filesStats(services: FilesServices, caller: Caller, body: Static<typeof filesStatsRoute.body>) {
  return { total_size_bytes: await services.files.totalBytes(caller.read(body.project_id)) }
}
