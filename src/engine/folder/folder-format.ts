import { version } from '../../lib/version.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findText } from '../../runtime/platform/files/files.ts'
import { DataFolderError, formatFile } from '../layout.ts'

/**
 * Version of the layout of data folders. Raised when an earlier version of the program would
 * misread, or damage, what a later one has written.
 */
export const folderFormat = 4

/** The contents of `format.json`. See docs/decisions/142-format-of-data-folders.md. */
export interface FolderFormat {
  readonly format: number
  /** Version of the program that wrote the file. */
  readonly written_by: string
}

/** The format of a folder; undefined if it is from before formats were recorded, which is 1. */
export async function findFolderFormat(dataFolder: string): Promise<FolderFormat | undefined> {
  const text = await findText(formatFile(dataFolder))
  return text === undefined ? undefined : formatOf(dataFolder, text)
}

/** @param place of the data, for messages */
export function formatOf(place: string, text: string): FolderFormat {
  try {
    const { format, written_by }: Partial<FolderFormat> = JSON.parse(text)
    if (format !== undefined && Number.isInteger(format) && typeof written_by === 'string')
      return { format, written_by }
  } catch {
    // Reported below, as other content is.
  }
  throw new DataFolderError(`Cannot open ${place}: its format.json is damaged; restore it from a backup`)
}

/** @throws DataFolderError if a later version of the program has changed the folder */
export async function refuseLaterFormat(dataFolder: string): Promise<FolderFormat | undefined> {
  const found = await findFolderFormat(dataFolder)
  if (found !== undefined) assertReadable(dataFolder, found)
  return found
}

/** @throws DataFolderError if a later version of the program has changed the data */
export function assertReadable(place: string, found: FolderFormat): void {
  if (found.format > folderFormat)
    throw new DataFolderError(
      `Cannot open ${place}: tracelake ${found.written_by} wrote it in format ${found.format}, and ` +
        `tracelake ${version} reads formats up to ${folderFormat}; use that version, or restore a backup from before ` +
        'the upgrade',
    )
}

/** The contents of `format.json` for this version. */
export const currentFormat = (): string => {
  const content: FolderFormat = { format: folderFormat, written_by: version }
  return `${JSON.stringify(content)}\n`
}

/** Records the format of a folder that this process has locked. */
export async function recordFormat(dataFolder: string): Promise<void> {
  const found = await refuseLaterFormat(dataFolder)
  if (found?.format === folderFormat) return
  await writeFileDurably(formatFile(dataFolder), currentFormat())
}
