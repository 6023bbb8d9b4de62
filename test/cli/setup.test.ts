import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programFile } from '../conformance/support/program-file.ts'

const common = ['--url', 'http://127.0.0.1:9', '--key', 'secret-key', '--project', 'me/code']

async function tracelake(home: string, ...words: string[]): Promise<{ out: string; err: string; code: number }> {
  const child = Bun.spawn([process.execPath, programFile, ...words], {
    ...{ stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' },
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, err, code: await child.exited }
}

async function inHome(files: Record<string, string>, use: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'setup-'))
  try {
    for (const [name, text] of Object.entries(files)) await Bun.write(path.join(home, name), text)
    await use(home)
  } finally {
    await rm(home, { recursive: true })
  }
}

const read = (home: string, name: string): Promise<string> => Bun.file(path.join(home, name)).text()

const cases: [string, Record<string, string>][] = [
  ['claude', { '.claude/settings.json': '{\n    // mine\n    "env": {"A": "b"},\n    "model": "opus"\n}\n' }],
  ['codex', { '.codex/config.toml': '# mine\nmodel = "gpt-5"\n\n[profiles.fast]\nmodel = "mini"' }],
  ['gemini', { '.gemini/settings.json': '{"ui": {"theme": "dark"}, /* keep */ "telemetry": {"enabled": false}}' }],
  ['opencode', { '.config/opencode/opencode.json': '{\n\t"theme": "x" // why\n}\n' }],
]

test.each(cases)(
  'sets up %s, says so twice, and restores every byte',
  async (agent, files) => {
    await inHome(files, async (home) => {
      const done = await tracelake(home, 'setup', agent, ...common, '--yes')
      expect(done).toMatchObject({ code: 0, err: '' })
      expect(done.out).not.toContain('secret-key')
      const [name, before] = Object.entries(files)[0]!
      const after = await read(home, name)
      expect(after).toMatch(/me(?:%2F|\/)code/)
      for (const comment of before.match(/\/\/ \w+|\/\*.*?\*\/|# \w+/g) ?? []) expect(after).toContain(comment)

      expect((await tracelake(home, 'setup', agent, ...common, '--yes')).out).toContain('already')
      expect((await tracelake(home, 'setup', agent, '--undo')).code).toBe(0)
      for (const [file, text] of Object.entries(files)) expect(await read(home, file)).toBe(text)
      const left = (await readdir(home, { recursive: true })).filter((one) => /\.(json|toml|env)$/.test(one))
      expect(left).toEqual(Object.keys(files))
    })
  },
  120_000,
)

test('nothing changes without consent, and another key replaces the first', async () => {
  await inHome({ '.claude/settings.json': '{}' }, async (home) => {
    const refused = await tracelake(home, 'setup', 'claude', ...common)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('nothing was changed') })
    expect(await read(home, '.claude/settings.json')).toBe('{}')
    await tracelake(home, 'setup', 'claude', ...common, '--yes')
    expect((await tracelake(home, 'setup', 'claude', ...common, '--key', 'another', '--yes')).code).toBe(0)
    expect(await read(home, '.claude/settings.json')).not.toContain('secret-key')
    expect((await tracelake(home, 'setup', 'claude', '--undo')).code).toBe(0)
    expect(await read(home, '.claude/settings.json')).toBe('{}')
  })
}, 120_000)

test('undo keeps what the user changed since', async () => {
  await inHome({ '.claude/settings.json': '{"env": {"OTEL_LOGS_EXPORTER": "console"}}' }, async (home) => {
    await tracelake(home, 'setup', 'claude', ...common, '--yes')
    const file = path.join(home, '.claude/settings.json')
    const settings = JSON.parse(await Bun.file(file).text())
    await Bun.write(file, JSON.stringify({ ...settings, model: 'opus' }))
    await tracelake(home, 'setup', 'claude', '--undo')
    expect(JSON.parse(await Bun.file(file).text())).toEqual({ env: { OTEL_LOGS_EXPORTER: 'console' }, model: 'opus' })
  })
}, 120_000)

test('settings that contradict are not overwritten', async () => {
  await inHome({ '.codex/config.toml': '[otel]\nexporter = "none"\n' }, async (home) => {
    const { code, err } = await tracelake(home, 'setup', 'codex', ...common, '--yes')
    expect(code).toBe(2)
    expect(err).toContain('by hand')
    expect(await read(home, '.codex/config.toml')).toBe('[otel]\nexporter = "none"\n')
  })
}, 120_000)

test('run sets the variables, and passes exit codes and signals on', async () => {
  await inHome({}, async (home) => {
    await mkdir(path.join(home, 'x'))
    const shown = await tracelake(
      home,
      'run',
      ...common,
      '--',
      'sh',
      '-c',
      'echo "$OTEL_EXPORTER_OTLP_HEADERS $WANDB_PROJECT"; exit 7',
    )
    expect(shown).toEqual({ out: 'ext-api-key=secret-key,project_id=me/code code\n', err: '', code: 7 })
    const killed = await tracelake(home, 'run', ...common, '--', 'sh', '-c', 'kill -TERM $$')
    expect(killed.code).toBe(143)
    const missing = await tracelake(home, 'run', ...common, '--', 'no-such-program')
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('no-such-program') })
    const words = [
      process.execPath,
      programFile,
      'run',
      ...common,
      '--',
      'sh',
      '-c',
      "trap 'exit 9' TERM; echo ready; for i in $(seq 300); do sleep 0.1; done",
    ]
    const child = Bun.spawn(words, { stdout: 'pipe', env: { PATH: process.env['PATH'] ?? '', HOME: home } })
    for await (const chunk of child.stdout) {
      if (new TextDecoder().decode(chunk).includes('ready')) child.kill('SIGTERM')
    }
    expect(await child.exited).toBe(9)
  })
}, 120_000)
