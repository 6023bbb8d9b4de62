import { Command } from 'commander'
import { probeLog } from '../engine/lake/probe-log.ts'
import { openObjectStore, type StoreOptions } from '../runtime/objects/open-object-store.ts'
import { probeStore } from '../runtime/objects/probe-store.ts'
import { print, run } from './run.ts'
import { storeOptions } from './store-options.ts'

/** `lake`: commands for data in an object store. */
export const lakeCommand = (): Command =>
  new Command('lake').description('check object stores').addCommand(probeCommand())

function probeCommand(): Command {
  const command = new Command('probe')
    .description('check whether a bucket has what a lake needs')
    .argument('<address>', 's3://<bucket>/<prefix>, or a folder')
  for (const option of storeOptions()) command.addOption(option)
  return command
    .addHelpText('after', notes)
    .action((address: string, options: StoreOptions, self: Command) => run(self, () => probe(self, address, options)))
}

const notes = `
Checks whether "tracelake serve --lake" can keep its data in a bucket.

Writes, reads and removes a few objects under probe/, 8 MiB at most, and prints one line per check. Above all, checks
that exactly one of several writers wins: AWS S3 and many other stores have such conditional writes, but not all.
Exit codes: 0 the store has everything, 1 something is missing, 2 the address or a setting is invalid.

Credentials are found as by other AWS tools: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a web identity, the profile
(AWS_PROFILE), the role of the container, the role of the instance.

Examples:
  tracelake lake probe s3://my-bucket/traces --region eu-central-1
  tracelake lake probe s3://my-bucket/traces --endpoint https://minio.example.com`

async function probe(self: Command, address: string, options: StoreOptions): Promise<void> {
  const store = await openObjectStore(address, options)
  const problems: string[] = []
  for await (const { what, problem, ms } of probeStore(store, probeLog)) {
    print(self, `${what}: ${problem ?? `yes, ${Math.max(1, Math.round(ms))} ms`}`)
    if (problem !== undefined) problems.push(what)
  }
  if (problems.length > 0) throw new Error(`${store.place} cannot hold a lake: ${problems.join(', ')}`)
  print(self, `${store.place} has everything that a lake needs.`)
}
