import { Command } from 'commander'
import { SecretStore } from '../domains/access/index.ts'
import { loadConfig } from '../runtime/config.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { readSecretInput } from '../runtime/platform/processes/terminal-input.ts'
import { openDocuments } from '../server/open-documents.ts'
import { plainTable } from './output.ts'
import { print, run } from './run.ts'

/** `secrets set | list | rm`: works on the data folder, whether or not a server is running. */
export function secretsCommand(): Command {
  const secrets = new Command('secrets').description(
    'manage the encrypted API keys of model providers; a running server picks up changes immediately',
  )
  secrets
    .command('set')
    .description('set or replace a secret; the value is read from standard input or prompted for')
    .argument('<name>', 'secret name, for example OPENAI_API_KEY')
    .option('--scope <scope>', 'projects that may use it: "*", an entity, or entity/project', '*')
    .option('--host <host...>', 'hosts of custom providers that it may be sent to')
    .option('--data <folder>', 'data folder (default: TRACELAKE_DATA, else ./data)')
    .addHelpText('after', examples)
    .action((name: string, options: SetOptions, self: Command) => run(self, () => set(self, name, options)))
  secrets
    .command('list')
    .description('list the secrets without their values')
    .option('--data <folder>', 'data folder (default: TRACELAKE_DATA, else ./data)')
    .action((options: DataOption, self: Command) => run(self, () => list(self, options)))
  secrets
    .command('rm')
    .description('remove a secret')
    .argument('<name>')
    .option('--scope <scope>', 'scope that it was set with', '*')
    .option('--data <folder>', 'data folder (default: TRACELAKE_DATA, else ./data)')
    .action((name: string, options: ScopeOption, self: Command) => run(self, () => remove(self, name, options)))
  return secrets
}

const examples = `
Examples:
  tracelake secrets set OPENAI_API_KEY < openai.key
  tracelake secrets set HOUSE_LLM_KEY --scope acme --host llm.example.com`

interface DataOption {
  data?: string
}
interface ScopeOption extends DataOption {
  scope: string
}
interface SetOptions extends ScopeOption {
  host?: string[]
}

async function set(self: Command, name: string, { scope, host = [], data }: SetOptions): Promise<void> {
  const { store, folder } = await open(data)
  const value = await readSecretInput(`${name}: `)
  await store.set({ name, scope, hosts: host, value })
  print(self, `Stored secret "${name}" (scope ${scope}) encrypted in ${folder}.`)
}

async function list(self: Command, { data }: DataOption): Promise<void> {
  const { store, folder } = await open(data)
  const records = await store.list()
  if (records.length === 0) return print(self, `No secrets in ${folder}.`)
  const rows = records.map(({ name, scope, hosts, created_at }) => [
    name,
    scope,
    hosts.join(' ') || '-',
    created_at.slice(0, 10),
  ])
  print(self, ...plainTable([['NAME', 'SCOPE', 'HOSTS', 'SET'], ...rows]))
}

async function remove(self: Command, name: string, { scope, data }: ScopeOption): Promise<void> {
  const { store, folder } = await open(data)
  await store.remove({ name, scope })
  print(self, `Removed secret "${name}" (scope ${scope}) from ${folder}.`)
}

async function open(data: string | undefined): Promise<{ store: SecretStore; folder: string }> {
  const config = loadConfig({ data })
  const { documents, sealingKey: key } = await openDocuments(config)
  return { store: new SecretStore({ documents, key, clock: systemClock }), folder: config.data }
}
