import { Command } from 'commander'
import { LoginLinks } from '../domains/access/index.ts'
import { findServerAddress } from '../engine/folder/locked-folder.ts'
import { DomainError } from '../lib/errors.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { writeFileDurably } from '../runtime/platform/files/durable-files.ts'
import { joinPath } from '../runtime/platform/files/paths.ts'
import { openInBrowser } from '../runtime/platform/processes/open-in-browser.ts'
import { openPlace, type PlaceOptions, withPlace } from './place.ts'
import { print, run } from './run.ts'

/**
 * The address that logs in with the secret of a login link. Browsers send no fragment, so the
 * secret is in no log.
 */
export const loginLink = (serverAddress: string, once: string): string => `${serverAddress}/ui/login#once=${once}`

/** `open`: opens the web UI of the running server, logged in. Needs access to the data. */
export const openCommand = (): Command =>
  withPlace(new Command('open'))
    .description('open the web UI of the running server in the browser and log in with the admin key')
    .option('--print', 'print the link instead; it works once, for ten minutes')
    .action((options: OpenOptions, self: Command) => run(self, () => openUi(self, options)))

interface OpenOptions extends PlaceOptions {
  print?: true
}

async function openUi(self: Command, { print: isToPrint, ...at }: OpenOptions): Promise<void> {
  const { documents, config } = await openPlace(at)
  const folder = config.data
  const address = await findServerAddress(folder)
  if (address === undefined)
    throw new DomainError(
      'NotFound',
      `Open the web UI: no server is running on ${folder}; start it with "tracelake serve"`,
    )
  const link = loginLink(address, await new LoginLinks(documents, systemClock).create())
  if (isToPrint) return print(self, link)
  // Other users of the machine can see the words of a command, but not this file.
  const page = joinPath(folder, pageName)
  await writeFileDurably(page, pageTo(link), { mode: 0o600 })
  if (await openInBrowser(page)) print(self, `Opened ${address}/ui/ in the browser.`)
  else print(self, 'There is no browser to open; this link works once, for ten minutes:', '', `  ${link}`)
}

const pageName = 'open-ui.html'

/** The link consists of characters that need no escaping. */
const pageTo = (link: string): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${link}"><title>tracelake</title>\n`
