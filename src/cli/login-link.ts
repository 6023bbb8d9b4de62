/**
 * The address that logs in with the secret of a login link. Browsers send no fragment, so the
 * secret is in no log.
 */
export const loginLink = (serverAddress: string, once: string): string => `${serverAddress}/ui/login#once=${once}`
