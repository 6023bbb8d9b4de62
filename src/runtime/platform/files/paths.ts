import { tmpdir } from 'node:os'
import path from 'node:path'

export const joinPath = path.join
export const dirName = path.dirname
export const baseName = path.basename
export const absolutePath = (file: string): string => path.resolve(file)
/** Whether an absolute path is `folder` or inside it. */
export const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)

/** The system's folder for temporary files. */
export const temporaryFolder = (): string => tmpdir()
