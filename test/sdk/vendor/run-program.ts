import { join } from 'node:path'
import process from 'node:process'
import type { Client } from '../../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../../conformance/support/temp-folder.ts'

const programMsMax = 60_000

/** Prefix of the line in which a program reports its results. */
export const resultMark = 'RESULT '

/**
 * Runs a program that uses the vendor's client package against a server, in a separate process
 * because the package changes module loading. It gets only the settings that the package documents,
 * and an empty home folder.
 *
 * @returns what the program reported with `tellResult`
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
    // The package logs failed requests and continues; here they count as failures.
    if (exitCode !== 0 || result === undefined || /error/i.test(errors)) {
      throw new Error(`Run ${name}: exit code ${exitCode}: ${output}${errors}`)
    }
    return JSON.parse(result.slice(resultMark.length)) as T
  } finally {
    clearTimeout(late)
    await removeFolder(home)
  }
}

/** The project that a program should use. */
export const projectArgument = (): string => process.argv[2]!

/** Reports the results of a program and ends it. */
export function tellResult(result: unknown): never {
  process.stdout.write(`\n${resultMark}${JSON.stringify(result)}\n`)
  process.exit(0)
}
