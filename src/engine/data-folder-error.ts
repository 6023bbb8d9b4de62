/** A folder cannot be used for the requested purpose. The message says what to do about it. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError'
}
