/** A span as a framework sends it, without what does not matter for usage. */
export interface FrameworkSpan {
  /** Letter that stands for its id, and that of the span around it; without one it is a root. */
  readonly id: string
  readonly parent?: string
  readonly name: string
  /** Seconds after the start of the conversation. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** One conversation as a framework tells it, and what the provider charged for. */
export interface Conversation {
  readonly model: string
  readonly provider: {
    readonly input: number
    readonly output: number
    /** Part of the input that was read from a cache, as far as the framework says so. */
    readonly cached: number
    /** Set where the framework counts these apart from the input. */
    readonly isCachedApart?: true
  }
  readonly spans: readonly FrameworkSpan[]
}

/** Two requests to the model with a tool call between them: what most conversations here are. */
export const twoRequests = { input: 220, output: 34, cached: 80 } as const
