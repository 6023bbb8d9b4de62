import type { Browser } from 'playwright-core'
import { startBrowser } from '../../../scripts/browser/start-browser.ts'
import { sharedInRun } from './run-wide.ts'

/** A page that asks another host for something fails its test, and gets no answer. */
const thisMachineOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

/** The one browser of a test run. */
export const sharedBrowser = (): Promise<Browser> => sharedInRun('browser', () => startBrowser([thisMachineOnly]))
