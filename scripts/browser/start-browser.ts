import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** What Debian and Ubuntu call the libraries that Chromium needs. */
const libraries = 'libnss3 libnspr4 libdbus-1-3 libatk1.0-0 libatk-bridge2.0-0 libxkbcommon0 libgbm1 libasound2'

/**
 * Starts a headless Chromium: `TRACELAKE_TEST_BROWSER` if it is set, otherwise a browser on PATH,
 * otherwise the one from the npm registry.
 *
 * @throws Error that says what to install
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await findBrowser()
  try {
    // Nothing else: the package's own arguments switch off the protections that the tests look at.
    return await chromium.launch({ executablePath, args: ['--no-sandbox'] })
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
  if (named) {
    if (await Bun.file(named).exists()) return named
    throw new Error(
      `Cannot start the browser: TRACELAKE_TEST_BROWSER is ${JSON.stringify(named)}, which does not exist`,
    )
  }
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell']) {
    const onPath = Bun.which(name)
    if (onPath !== null) return onPath
  }
  return sparticuz.executablePath()
}
