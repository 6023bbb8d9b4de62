import { homedir, hostname } from 'node:os'
import process from 'node:process'

/** Command line arguments after the program itself. */
export const argv = (): string[] => process.argv.slice(2)

/** Environment variable `name`; undefined if it is unset or empty. */
export function environmentVariable(name: string): string | undefined {
  const value = process.env[name]
  return value === undefined || value === '' ? undefined : value
}

/** Names of all environment variables. */
export const environmentNames = (): string[] => Object.keys(process.env)

/** Operating system and processor, for example `linux-x64`. */
export const platformName = (): string => `${process.platform}-${process.arch}`

/** The name of this machine, or of the container. */
export const hostName = (): string => hostname()

export const processId = (): number => process.pid

export const writeStdout = (text: string): void => void process.stdout.write(text)
export const writeStderr = (text: string): void => void process.stderr.write(text)

/** Whether standard error is a terminal. */
export const stderrIsTerminal = (): boolean => process.stderr.isTTY === true

/**
 * Exits silently when the reader of standard output is gone (`…
 * head`).
 */
export function exitOnBrokenPipe(): void {
  process.stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

export function exit(code: number): never {
  process.exit(code)
}

/** Calls `handle` on the first SIGINT or SIGTERM; a second one exits at once. */
export function onTerminationSignal(handle: (signal: string) => void): void {
  let seen = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (seen) process.exit(130)
      seen = true
      handle(signal)
    })
  }
}

/** Calls `handle` for uncaught errors, instead of the runtime's own report. */
export function onUncaughtError(handle: (error: unknown) => void): void {
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

/** The user's home folder. */
export const homeFolder = (): string => homedir()
