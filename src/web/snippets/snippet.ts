/** What a snippet is filled in with. */
export interface SnippetFacts {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  readonly projectId: string
  readonly key: string
}

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
