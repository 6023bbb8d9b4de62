/** Standard error without progress, which a command reports if it takes more than a second. */
export const withoutProgress = (errors: string): string =>
  errors.replace(/^[A-Za-z][\w ]*: [\d,]+(?: of [\d,]+)?\n/gm, '')
