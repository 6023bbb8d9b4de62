import { postRaw } from './client.ts'

/**
 * Saves the answer of an operation as a file.
 * @param accept requested media type, such as `text/csv`
 * @throws {Problem}
 */
export async function download(path: string, body: unknown, filename: string, accept: string): Promise<void> {
  const response = await postRaw(path, body, { headers: { accept } })
  saveBlob(await response.blob(), filename)
}

/** Saves bytes that are already here as a file. */
export function saveBlob(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser takes its own hold of the bytes when the download starts.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
