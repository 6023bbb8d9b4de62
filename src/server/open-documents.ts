import { type SealingKey, SealingKeyDocument, SealingKeyFile } from '../domains/access/index.ts'
import type { LakeOptions } from '../engine/lake-parts.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Documents } from '../runtime/documents/documents.ts'
import { FolderDocuments } from '../runtime/documents/folder-documents.ts'

/** Small things that a server keeps beside its tables: keys, sessions, accounts, secrets. */
export interface ServerDocuments {
  readonly documents: Documents
  readonly sealingKey: SealingKey
}

/**
 * The documents of a configuration, for the server and for commands.
 *
 * @param lake where the data is, if it is not in the data folder
 */
export async function openDocuments(
  { data, secretsKeyFile, hasSecretsKeyFile }: Pick<Config, 'data' | 'secretsKeyFile' | 'hasSecretsKeyFile'>,
  lake?: LakeOptions,
): Promise<ServerDocuments> {
  if (lake === undefined)
    return { documents: new FolderDocuments(data), sealingKey: new SealingKeyFile(secretsKeyFile) }
  // Imported lazily: few servers need it.
  const { ObjectDocuments } = await import('../runtime/documents/object-documents.ts')
  const documents = new ObjectDocuments(lake)
  const sealingKey = hasSecretsKeyFile
    ? new SealingKeyFile(secretsKeyFile, { isShared: true })
    : new SealingKeyDocument(documents)
  return { documents, sealingKey }
}
