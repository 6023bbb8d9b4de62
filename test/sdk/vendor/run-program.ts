import { join } from 'node:path'
import process from 'node:process'
import type { Client } from '../../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../../conformance/support/temp-folder.ts'

const programMsMax = 60_000

/** Name of the line in which a program tells its results. */
export const resultMark = 'RESULT '

/**
 * Runs a program that uses the vendor's own client package against a server, in a process of its
 * own: the package changes how modules are loaded. It gets nothing but what the package's
 * documentation names, and a home folder without settings.
 *
 * @returns what the program told with `tellResult`
 */
export async function runProgram<T>(name: string, server: Client, projectId: string): Promise<T> {
  const home = await makeTempFolder()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), projectId], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      WF_TRACE_SERVER_URL: server.address,
      WANDB_API_KEY: server.key,
      WEAVE_PRINT_CALL_LINK: 'false',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const late = setTimeout(() => child.kill('SIGKILL'), programMsMax)
  try {
    const [output, errors, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const result = output.split('\n').find((line) => line.startsWith(resultMark))
    // The package tells of failed requests and goes on: that counts as failure here.
    if (exitCode !== 0 || result === undefined || /error/i.test(errors)) {
      throw new Error(`Run ${name}: exit code ${exitCode}: ${output}${errors}`)
    }
    return JSON.parse(result.slice(resultMark.length)) as T
  } finally {
    clearTimeout(late)
    await removeFolder(home)
  }
}

/** The project that a program is to use. */
export const projectArgument = (): string => process.argv[2]!

/** Tells the results of a program, and ends it. */
export function tellResult(result: unknown): never {
  process.stdout.write(`\n${resultMark}${JSON.stringify(result)}\n`)
  process.exit(0)
}
