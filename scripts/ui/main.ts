/** Builds the web UI into dist/ui. */
import path from 'node:path'
import { buildUi } from './build-ui.ts'

const repository = path.join(import.meta.dir, '../..')
await buildUi(repository, path.join(repository, 'dist/ui'))
