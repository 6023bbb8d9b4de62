import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { programFile } from '../conformance/support/program-file.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { occupy } from '../executable/occupy.ts'
import { runCommand } from './command.ts'

const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

/** Starts a server until it listens, and stops it. @returns what it printed until then */
async function start(...words: string[]): Promise<{ out: string; err: string }> {
  const child = Bun.spawn([process.execPath, programFile, ...words], {
    env: { PATH: process.env['PATH']!, TRACELAKE_LOG_LEVEL: 'warn' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const err = new Response(child.stderr).text()
  let out = ''
  for await (const piece of child.stdout) {
    out += new TextDecoder().decode(piece)
    if (/listening on .*\n/.test(out)) break
  }
  child.kill('SIGTERM')
  return { out, err: await err }
}

test('"serve" runs without gRPC if its usual port is taken, and says so in one line', async () => {
  using _taken = occupy(4317)
  const { out, err } = await start('serve', '--port', '0', '--grpc-port', 'auto', '--data', join(folder, 'serve'))
  expect(out).not.toContain('gRPC on')
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(err)).toMatchObject({
    level: 'warn',
    port: 4317,
    msg: 'gRPC is off (port 4317: the port is in use); --grpc-port chooses one',
  })
  expect(err).not.toContain('stack')
})

test('"demo" takes another port for gRPC if the usual one is taken, and says so in one line', async () => {
  using _taken = occupy(4317)
  const { out, err } = await start('demo', '--port', '0', '--grpc-port', 'auto', '--data', join(folder, 'demo'))
  expect(out).toMatch(/ · gRPC on 127\.0\.0\.1:(?!4317)\d+ · .*, \d,\d{3} calls\)/)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(err)).toMatchObject({ level: 'warn', port: 4317 })
})

test.each(['serve', 'demo'])(
  '"%s" refuses a gRPC port that was asked for and is taken in one line',
  async (command) => {
    using taken = occupy(0)
    const data = join(folder, `refused-${command}`)
    const { err, code } = await runCommand(command, '--port', '0', '--grpc-port', `${taken.port}`, '--data', data)
    expect(err).toBe(
      `tracelake: Cannot listen on 127.0.0.1:${taken.port}: the port is in use; ` +
        'choose another address with --host and --grpc-port\n',
    )
    expect(code).toBe(2)
  },
)
