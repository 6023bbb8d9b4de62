import type { LogEvent } from '../logs/log-event.ts'
import type { Agent } from './agent-fact.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'

const agents: readonly Agent[] = [claudeCode, codex, geminiCli]

/** Names of the events that say something about calls. */
export const eventsOfAgents: readonly string[] = agents.flatMap(({ events }) => events)

/** Whether spans of the library are those of a coding agent. */
export const isScopeOfAgent = (scope: string): boolean => agents.some(({ scopes }) => scopes.test(scope))

/** The coding agent that sent an event, if any. */
export const agentOf = (event: LogEvent): Agent | undefined => agents.find((agent) => agent.owns(event))
