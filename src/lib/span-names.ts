/** SpanKind names of the protocol, by number. */
export const spanKinds: readonly string[] = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

/** StatusCode names of the protocol, by number. */
export const statusCodes: readonly string[] = ['UNSET', 'OK', 'ERROR']
