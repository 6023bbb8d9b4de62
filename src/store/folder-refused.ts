/** A folder cannot be used for what it was named for; the message says what would help. */
export class FolderRefused extends Error {
  override readonly name: string = 'FolderRefused'
}
