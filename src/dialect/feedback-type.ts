import { feedbackPrefixes } from './spellings.ts'

/** Kinds of feedback that have rules of their own; everything else is `free`. */
export type FeedbackKind =
  | { readonly kind: 'reaction' | 'note' | 'agentMonitor' | 'agentUserFeedback' | 'free' }
  /** `name` is what follows the prefix. */
  | { readonly kind: 'annotation' | 'runnable'; readonly name: string }

const builtIn = /^(?:reaction\.1|note\.1|agent_monitor|agent_user_feedback|(?:annotation|runnable)\..*)$/s

/** A feedback type as it is stored: built-in types begin with `ext.` in whichever dialect they came; others are the user's own. */
export function neutralFeedbackType(type: string): string {
  const prefix = feedbackPrefixes.find((candidate) => type.startsWith(`${candidate}.`))
  const rest = prefix === undefined ? '' : type.slice(prefix.length + 1)
  return builtIn.test(rest) ? `ext.${rest}` : type
}

/**
 * A part of a feedback type as it may be spelled where built-in types begin with `wirePrefix`: where it begins as a built-in type may in
 * either dialect, it cannot be told whether it is of one.
 */
export function feedbackTypeParts(part: string, wirePrefix: string): string[] {
  const prefix = feedbackPrefixes.find((candidate) => part.startsWith(`${candidate}.`))
  return prefix === undefined || prefix === wirePrefix ? [part] : [part, wirePrefix + part.slice(prefix.length)]
}

/** The rules that a stored feedback type brings with it. */
export function kindOf(type: string): FeedbackKind {
  switch (type) {
    case 'ext.reaction.1':
      return { kind: 'reaction' }
    case 'ext.note.1':
      return { kind: 'note' }
    case 'ext.agent_monitor':
      return { kind: 'agentMonitor' }
    case 'ext.agent_user_feedback':
      return { kind: 'agentUserFeedback' }
  }
  const [, kind, name] = /^ext\.(annotation|runnable)\.(.*)$/s.exec(type) ?? []
  return kind === undefined ? { kind: 'free' } : { kind: kind as 'annotation' | 'runnable', name: name! }
}
