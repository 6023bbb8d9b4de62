/** One prompt to a coding agent, and what its session has to become. */
export interface AgentRun {
  readonly name: string
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files below the home folder. */
  readonly files?: Readonly<Record<string, string>>
  /** The agent whose settings "tracelake setup" writes, after `files`. */
  readonly setup?: string
  /** Requests to models of the turn. */
  readonly expected: { readonly model: number; readonly tool: number }
}
