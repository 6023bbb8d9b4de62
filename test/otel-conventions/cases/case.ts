/** A span with these attributes and events, and members of the call that it becomes. */
export interface Case {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly events?: readonly { name: string; attributes: Readonly<Record<string, unknown>> }[]
  readonly gives: Readonly<Record<string, unknown>>
}

/** Cases by convention and name. */
export type Cases = Readonly<Record<string, Readonly<Record<string, Case>>>>

export const question = [{ role: 'user', content: 'How tall is it?' }]
export const answer = [{ role: 'assistant', content: '330 m' }]

/** Id of every span. */
export const spanId = 'b'.repeat(16)
