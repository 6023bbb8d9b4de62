/** Values that are filled into a snippet. */
export interface SnippetFacts {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  /** Where the server is reached over gRPC; null if it is not. */
  readonly grpcUrl: string | null
  readonly projectId: string
  readonly key: string
  /** Command that starts tracelake on the machine of the server. */
  readonly command: string
  /** The data folder as a word of a command line; null if the user may not know. */
  readonly dataFolder: string | null
}

/** The command that starts the server with other options. */
export const serveCommand = ({ command, dataFolder }: SnippetFacts, options: string): string =>
  `${command} serve ${options}${dataFolder === null ? '' : ` --data ${dataFolder}`}`

/** Something to run or to save, with what it is. */
export interface SnippetStep {
  readonly title: string
  readonly language: 'shell' | 'python' | 'typescript' | 'yaml' | 'toml'
  readonly code: string
}

/** A way to send traces. */
export interface Snippet {
  readonly id: string
  readonly name: string
  /** Whether it speaks the names of the Weave SDK. */
  readonly needsWeave: boolean
  readonly steps: (facts: SnippetFacts) => readonly SnippetStep[]
}
