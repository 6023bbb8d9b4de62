/** Content of an object. */
export type Members = Readonly<Record<string, unknown>>
