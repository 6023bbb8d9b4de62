/** The name of the object in a ref. */
export const nameInRef = (ref: string): string => decodeURIComponent(/\/object\/([^:/]+):/.exec(ref)?.[1] ?? ref)
