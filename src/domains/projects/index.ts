/**
 * The list of projects. Other code imports this subject through this file.
 */

export type { ProjectSummary } from './model/projects.ts'
export { projectsApi } from './operations/index.ts'
export { Projects } from './projects.ts'
