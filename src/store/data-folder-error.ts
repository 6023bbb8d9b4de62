/** A folder cannot be used for what it was named for; the message says what would help. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError'
}
