import { ConfigError } from '../config.ts'
import { fileExists } from '../platform/files.ts'
import { tablesFolder } from '../store/layout.ts'

/** @throws ConfigError where a folder is no data folder: a command that looks at one must not make it */
export async function requireTables(folder: string): Promise<void> {
  if (!(await fileExists(tablesFolder(folder))))
    throw new ConfigError(`${folder} is not a data folder: it has no tables; select the folder with --data`)
}
