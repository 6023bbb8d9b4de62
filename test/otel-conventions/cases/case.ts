/** Attributes and events of a span, and members of the call that it becomes. */
export interface Case {
  /** Name of the span; "work" unless it matters. */
  readonly span?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly events?: readonly { name: string; attributes: Readonly<Record<string, unknown>> }[]
  readonly gives: Readonly<Record<string, unknown>>
}

/** Cases by convention and name. */
export type Cases = Readonly<Record<string, Readonly<Record<string, Case>>>>

export const question = [{ role: 'user', content: 'How tall is it?' }]
export const answer = [{ role: 'assistant', content: '330 m' }]

/** The id of every span. */
export const spanId = 'b'.repeat(16)
