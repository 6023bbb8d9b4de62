import { errorLine } from '../../lib/error-line.ts'

/** Characters of the line that lists show. */
const lineCharsMax = 300

/** One line of the error of a call; null if it has none. */
export const lineOfError = (exception: string | null | undefined, charsMax = lineCharsMax): string | null =>
  exception ? errorLine(exception, charsMax) : null
