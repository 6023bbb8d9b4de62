import { shareBrowserAmongFiles } from './run-wide.ts'

shareBrowserAmongFiles()
