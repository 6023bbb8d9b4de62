import { type Browser, chromium } from 'playwright-core'
import { pinnedBrowser } from './pinned-browser.ts'

/** What Debian and Ubuntu call the libraries that Chromium needs. */
const libraries = 'libnss3 libnspr4 libdbus-1-3 libatk1.0-0 libatk-bridge2.0-0 libxkbcommon0 libgbm1 libasound2'

/**
 * What a browser does of its own accord only takes time away from the tests. A full Chromium looks
 * for updates, and resolves names for its services, even when it is headless.
 */
const quietArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
]

/**
 * Starts a headless Chromium: the pinned one from the npm registry, so that all machines test the
 * same; or the one that `TRACELAKE_TEST_BROWSER` names, by its path or by its name on PATH.
 *
 * @param further arguments
 * @throws Error that says what to install
 */
export async function startBrowser(further: readonly string[] = []): Promise<Browser> {
  const executablePath = await findBrowser()
  try {
    // Nothing else: the package's own arguments switch off the protections that the tests look at.
    return await chromium.launch({ executablePath, args: ['--no-sandbox', ...quietArguments, ...further] })
  } catch (cause) {
    throw new Error(
      `Cannot start the browser ${executablePath}. If libraries are missing, ` +
        `"apt-get install ${libraries}" installs them; or set TRACELAKE_TEST_BROWSER to a Chromium that starts here`,
      { cause },
    )
  }
}

async function findBrowser(): Promise<string> {
  const named = process.env['TRACELAKE_TEST_BROWSER']
  if (!named) return await pinnedBrowser()
  const found = Bun.which(named)
  if (found !== null) return found
  throw new Error(
    `Cannot start the browser: TRACELAKE_TEST_BROWSER is ${JSON.stringify(named)}, which is no executable file`,
  )
}
