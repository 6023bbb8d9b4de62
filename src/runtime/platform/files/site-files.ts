import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const embedded = new Map<string, string>()

/**
 * Makes the file `name` of the guide's site be read from `file`, a path inside the executable.
 *
 * @public The entry point of the executable, which scripts/executable generates, calls it.
 */
export function useEmbeddedSiteFile(name: string, file: string): void {
  embedded.set(name, file)
}

const here = path.dirname(fileURLToPath(import.meta.url))
/** The program runs from src/runtime/platform/files/ or from dist/. */
const folder = path.join(
  here,
  import.meta.url.endsWith('/src/runtime/platform/files/site-files.ts') ? '../../../../dist/guide' : 'guide',
)

/** Words joined by slashes: no part begins with a dot, so no path leads out of the folder. */
const namePattern = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/

/** A file of the guide's site, for example `clients/langgraph.html`; undefined if there is none. */
export async function findSiteFile(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!namePattern.test(name)) return undefined
  const file = embedded.size > 0 ? embedded.get(name) : path.join(folder, name)
  if (file === undefined) return undefined
  return await readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && missingCodes.has(error.code)) return undefined
    throw error
  })
}

const missingCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])
