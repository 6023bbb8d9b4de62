import { expect } from 'bun:test'
import path from 'node:path'
import process from 'node:process'
import { withoutProgress } from '../cli/without-progress.ts'
import { programFile } from '../conformance/support/program-file.ts'
import { root } from './documents.ts'

const program = `tracelake() { '${process.execPath}' '${programFile}' "$@"; }`

/** The blocks of shell commands of a page. */
export async function blocksOf(file: string): Promise<string[]> {
  const text = await Bun.file(path.join(root, file)).text()
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!)
}

/**
 * Runs commands of a page, which must succeed without a word on standard error; returns what they
 * print.
 */
export async function runScript(script: string): Promise<string> {
  const commands = script.replaceAll('./scripts/tracelake', 'tracelake').replaceAll('curl ', 'curl -sS ')
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TRACELAKE|OTEL)_/.test(name))
  const child = Bun.spawn(['bash', '-eu', '-o', 'pipefail', '-c', `${program}\n${commands}`], {
    env: Object.fromEntries(inherited),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(`${await child.exited} ${withoutProgress(errors)}`).toBe('0 ')
  return output
}
