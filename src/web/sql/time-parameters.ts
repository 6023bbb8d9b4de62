import type { Span } from '../chart/span.ts'
import type { Times } from './run-statement.ts'
import { tokensOf } from './tokens.ts'

const parameter = /\$(from|to)\b/gi

/**
 * Whether a statement names the time range of a page: `$from` or `$to`. See
 * docs/decisions/268-times-in-statements.md.
 */
export const hasTimes = (statement: string): boolean =>
  tokensOf(statement).some(({ kind, text }) => kind !== 'string' && kind !== 'comment' && text.search(parameter) >= 0)

/** The statement with its time parameters replaced by literals, to be run elsewhere. */
export const withTimes = (statement: string, { from, to }: Times): string =>
  tokensOf(statement)
    .map(({ kind, text }) =>
      kind === 'string' || kind === 'comment'
        ? text
        : text.replace(parameter, (_, name: string) => `timestamptz '${name.toLowerCase() === 'from' ? from : to}'`),
    )
    .join('')

/** A time range as the values of `$from` and `$to`. */
export const timesOf = ({ from, to }: Span): Times => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})
