/** Standard error without reports of progress, which are written once a second on a slow machine. */
export const withoutProgress = (errors: string): string => errors.replace(/^[a-z][\w ]*: [\d,]+(?: of [\d,]+)?\n/gm, '')
