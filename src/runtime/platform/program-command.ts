import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** How this program was started. */
interface Launch {
  /** Path of the executable; undefined if a runtime runs the program's files. */
  readonly executable: string | undefined
  /** Folders in which a shell looks for commands. */
  readonly searched: readonly string[]
  readonly exists: (file: string) => boolean
}

/** Folders into which runners of packages unpack an executable for one run. */
const runners: readonly (readonly [folder: RegExp, command: string])[] = [
  [/[\\/]_npx[\\/]/, 'npx tracelake'],
  [/[\\/]dlx(?:-\w+)?[\\/]/, 'pnpm dlx tracelake'],
  [/[\\/]bunx-[^\\/]*[\\/]/, 'bunx tracelake'],
  [/[\\/]uv[\\/](?:.*[\\/])?(?:archive|environments)-v\d+[\\/]/, 'uvx tracelake'],
]

/**
 * The command by which a person on this machine starts a further command of the program that runs:
 * `./scripts/tracelake` in a clone, `npx tracelake` and the like from a package that a runner has
 * fetched, `tracelake` if shells find it, else the path of the executable.
 */
export function commandOf({ executable, searched, exists }: Launch): string {
  if (executable === undefined) return './scripts/tracelake'
  const runner = runners.find(([folder]) => folder.test(executable))
  if (runner !== undefined) return runner[1]
  if (searched.some((folder) => exists(path.join(folder, path.basename(executable)))))
    return path.basename(executable, '.exe')
  return shellWord(executable)
}

/** The command that starts a further command of this program; see `commandOf`. */
export const programCommand = (): string =>
  commandOf({
    executable: isExecutable(import.meta.url) ? process.execPath : undefined,
    searched: (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== ''),
    exists: existsSync,
  })

/** Whether a module is part of an executable, judging by its `import.meta.url`. */
export const isExecutable = (url: string): boolean => url.includes('$bunfs') || url.includes('~BUN')

/** A text as one word of a command line. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
