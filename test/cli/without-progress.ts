/** Standard error without progress, which a command reports if it takes more than a second. */
export const withoutProgress = (errors: string): string => errors.replace(/^[a-z][\w ]*: [\d,]+(?: of [\d,]+)?\n/gm, '')
