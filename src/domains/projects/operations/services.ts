import type { Projects } from '../projects.ts'

/** The services that these operations are given. */
export interface ProjectsServices {
  readonly projects: Projects
}
