import type { Agents } from '../agents.ts'

/** The services that these operations are given. */
export interface AgentsServices {
  readonly agents: Agents
}
