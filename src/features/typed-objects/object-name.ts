/** Name of the object for a name that people read: lower case, `_` for spaces and slashes, no angle brackets. */
export const objectNameOf = (name: string): string =>
  name.toLowerCase().replaceAll(/[\s/]/g, '_').replaceAll(/[<>]/g, '')
