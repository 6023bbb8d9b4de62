import type { Browser } from 'playwright-core'
import { startBrowser } from '../../../scripts/browser/start-browser.ts'
import { sharedInRun } from './run-wide.ts'

/** The one browser of a test run. */
export const sharedBrowser = (): Promise<Browser> => sharedInRun('browser', startBrowser)
