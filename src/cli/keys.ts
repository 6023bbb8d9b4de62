import { Command } from 'commander'
import { type KeyRecord, KeyRing, readKeyUses } from '../domains/access/index.ts'
import { findServerAddress } from '../engine/folder/locked-folder.ts'
import { DomainError } from '../lib/errors.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { plainTable } from './output.ts'
import { openPlace, type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'

/** `keys create | list | revoke`: works on the data, whether or not a server is running. */
export function keysCommand(): Command {
  const keys = new Command('keys').description(
    'create, list and revoke API keys; a running server picks up changes within seconds',
  )
  withPlace(keys.command('create'))
    .description('create a key and print it once')
    .option('--name <name>', 'user name recorded on everything written with the key (required)')
    .option('--role <role>', 'read, write (includes read) or admin (includes write)', 'write')
    .option('--scope <scope>', 'what the key can access: "*", an entity, or entity/project', '*')
    .option('--expires-in <days>', 'days after which the key stops working (default: never)')
    .addHelpText('after', examples)
    .action((options: CreateOptions, self: Command) => run(self, () => create(self, options)))
  withPlace(keys.command('list'))
    .description('list the keys without their secrets')
    .action((options: PlaceOptions, self: Command) => run(self, () => list(self, options)))
  withPlace(keys.command('revoke'))
    .description('revoke a key; data written with it is kept')
    .argument('<id>', 'the first 8 characters of the key, as shown by "keys list"')
    .action((id: string, options: PlaceOptions, self: Command) => run(self, () => revoke(self, id, options)))
  return keys
}

const examples = `
Examples:
  tracelake keys create --name ci --role write --scope acme/support-bot
  tracelake keys create --name dashboard --role read --scope acme
  tracelake keys list --lake s3://my-bucket/traces`

interface CreateOptions extends PlaceOptions {
  name?: string
  role: string
  scope: string
  expiresIn?: string
}

async function create(self: Command, { name, role, scope, expiresIn, ...at }: CreateOptions): Promise<void> {
  if (name === undefined) throw new DomainError('InvalidRequest', '--name is required')
  const { documents, place, config } = await openPlace(at)
  const ring = new KeyRing(documents, systemClock)
  const { record, text } = await ring.create({ name, role, scope, expiresMs: expiryOf(expiresIn) })
  const server = (await findServerAddress(config.data)) ?? 'http://127.0.0.1:8470'
  print(
    self,
    `Created key "${record.name}" (id ${record.id}, role ${record.role}, scope ${record.scope}) in ${place}:`,
    '',
    `  ${text}`,
    '',
    'Store it now; it is not shown again. Use it as the password of HTTP Basic authentication, with any user name:',
    '',
    `  curl -u api:${text} ${server}/server_info`,
  )
}

/** Milliseconds since 1970. @throws DomainError InvalidRequest */
function expiryOf(days: string | undefined): number | undefined {
  if (days === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new DomainError('InvalidRequest', `--expires-in "${days}": write whole days`)
  return systemClock.nowMs() + Number(days) * 86_400_000
}

async function list(self: Command, at: PlaceOptions): Promise<void> {
  const { documents, place } = await openPlace(at)
  const records = await new KeyRing(documents, systemClock).list()
  const uses = await readKeyUses(documents)
  if (records.length === 0) print(self, `No keys in ${place}.`)
  else
    print(
      self,
      ...plainTable([
        ['ID', 'NAME', 'ROLE', 'SCOPE', 'CREATED', 'LAST USED', 'STATE'],
        ...records.map((key) => row(key, uses)),
      ]),
    )
}

async function revoke(self: Command, id: string, at: PlaceOptions): Promise<void> {
  const { documents, place } = await openPlace(at)
  const record = await new KeyRing(documents, systemClock).revoke(id)
  print(self, `Key "${record.name}" (id ${record.id}) in ${place} has been revoked since ${record.revoked_at}.`)
}

const row = (key: KeyRecord, uses: ReadonlyMap<string, string>): string[] => [
  key.id,
  key.name,
  key.role,
  key.scope,
  key.created_at.slice(0, 10),
  uses.get(key.id)?.slice(0, 10) ?? '',
  stateOf(key),
]

function stateOf({ revoked_at, expires_at }: KeyRecord): string {
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 10)}`
  if (expires_at === undefined) return 'valid'
  const isOver = Date.parse(expires_at) <= systemClock.nowMs()
  return `${isOver ? 'expired' : 'valid until'} ${expires_at.slice(0, 10)}`
}
