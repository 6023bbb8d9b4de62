import { refuseLaterFormat } from '../engine/folder/folder-format.ts'
import { tablesFolder } from '../engine/layout.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { fileExists } from '../runtime/platform/files/files.ts'

/**
 * @throws ConfigError if the folder is not a data folder: a command that only reads must not create
 *   one; DataFolderError if a later version wrote it
 */
export async function requireTables(folder: string): Promise<void> {
  if (!(await fileExists(tablesFolder(folder))))
    throw new ConfigError(`${folder} is not a data folder: it has no tables; select the folder with --data`)
  await refuseLaterFormat(folder)
}
