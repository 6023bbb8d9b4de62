/** Names of the protocol's SpanKind by number. */
export const spanKinds: readonly string[] = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

/** Names of the protocol's StatusCode by number. */
export const statusCodes: readonly string[] = ['UNSET', 'OK', 'ERROR']
