import { Command } from 'commander'
import { SecretStore } from '../domains/access/index.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { readSecretInput } from '../runtime/platform/processes/terminal-input.ts'
import { plainTable } from './output.ts'
import { openPlace, type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'

/** `secrets set | list | rm`: works on the data, whether or not a server is running. */
export function secretsCommand(): Command {
  const secrets = new Command('secrets').description(
    'manage the encrypted API keys of model providers; a running server picks up changes within seconds',
  )
  withPlace(secrets.command('set'))
    .description('set or replace a secret; the value is read from standard input or prompted for')
    .argument('<name>', 'secret name, for example OPENAI_API_KEY')
    .option('--scope <scope>', 'projects that may use it: "*", an entity, or entity/project', '*')
    .option('--host <host...>', 'hosts of custom providers that it may be sent to')
    .addHelpText('after', examples)
    .action((name: string, options: SetOptions, self: Command) => run(self, () => set(self, name, options)))
  withPlace(secrets.command('list'))
    .description('list the secrets without their values')
    .action((options: PlaceOptions, self: Command) => run(self, () => list(self, options)))
  withPlace(secrets.command('rm'))
    .description('remove a secret')
    .argument('<name>')
    .option('--scope <scope>', 'scope that it was set with', '*')
    .action((name: string, options: ScopeOption, self: Command) => run(self, () => remove(self, name, options)))
  return secrets
}

const examples = `
Examples:
  tracelake secrets set OPENAI_API_KEY < openai.key
  tracelake secrets set HOUSE_LLM_KEY --scope acme --host llm.example.com`

interface ScopeOption extends PlaceOptions {
  scope: string
}
interface SetOptions extends ScopeOption {
  host?: string[]
}

async function set(self: Command, name: string, { scope, host = [], ...at }: SetOptions): Promise<void> {
  const { store, place } = await open(at)
  const value = await readSecretInput(`${name}: `)
  await store.set({ name, scope, hosts: host, value })
  print(self, `Stored secret "${name}" (scope ${scope}) encrypted in ${place}.`)
}

async function list(self: Command, at: PlaceOptions): Promise<void> {
  const { store, place } = await open(at)
  const records = await store.list()
  if (records.length === 0) return print(self, `No secrets in ${place}.`)
  const rows = records.map(({ name, scope, hosts, created_at }) => [
    name,
    scope,
    hosts.join(' ') || '-',
    created_at.slice(0, 10),
  ])
  print(self, ...plainTable([['NAME', 'SCOPE', 'HOSTS', 'SET'], ...rows]))
}

async function remove(self: Command, name: string, { scope, ...at }: ScopeOption): Promise<void> {
  const { store, place } = await open(at)
  await store.remove({ name, scope })
  print(self, `Removed secret "${name}" (scope ${scope}) from ${place}.`)
}

async function open(at: PlaceOptions): Promise<{ store: SecretStore; place: string }> {
  const { documents, sealingKey: key, place } = await openPlace(at)
  return { store: new SecretStore({ documents, key, clock: systemClock }), place }
}
