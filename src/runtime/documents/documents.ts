/** A JSON object. */
export type DocumentContent = object

/**
 * Small JSON documents by name, stored durably in the data folder, or in the object store of a
 * lake. Their users do not know which. Reads give the text, which may be damaged. Every
 * method rejects with DomainError StoreUnavailable if an object store fails; a change may then have
 * happened, or still happen. See docs/decisions/285-documents-in-a-lake.md.
 */
export interface Documents {
  /** Where a document is, for messages. */
  placeOf(name: string): string
  /** The text of a document; undefined if there is none. */
  find(name: string): Promise<string | undefined>
  /**
   * Changes whenever a document changes; undefined if there is none. At once for changes through
   * this object, and within `documentLimits.knownForMs` for those of others.
   */
  version(name: string): Promise<string | undefined>
  /** The same with what others have just changed, unless the store does not answer soon. */
  newestVersion(name: string): Promise<string | undefined>
  /**
   * Replaces a document that several may change at the same time, one after the other.
   *
   * @param edit makes the new content of the text before; may be called again
   */
  change(name: string, edit: (before: string | undefined) => Editing): Promise<void>
  /** For documents that only the server changes: what it writes replaces what it has read. */
  own(name: string): Promise<OwnDocument>
}

/** What an edit makes of a document; null leaves it as it is. */
export type Editing = DocumentContent | null | Promise<DocumentContent | null>

/** A document of the server that has the data open. Written by one caller at a time. */
export interface OwnDocument {
  /** The text that the server before has left; undefined if there is none. */
  read(): Promise<string | undefined>
  /**
   * Replaces the document, durably.
   *
   * @throws DomainError StoreUnavailable if another server has taken over the object store
   */
  write(content: DocumentContent): Promise<void>
}

export const documentText = (content: DocumentContent): string => `${JSON.stringify(content, null, 2)}\n`
