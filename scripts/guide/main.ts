/**
 * Builds the guide and the other documents into dist/guide, as the server shows them below
 * `/docs/guide`. With --out FOLDER, for any other web server.
 */
import path from 'node:path'
import process from 'node:process'
import { buildGuide } from './build-guide.ts'

const repository = path.join(import.meta.dir, '../..')
const out = process.argv.indexOf('--out')
if (out === -1) await buildGuide(repository, path.join(repository, 'dist/guide'), { hasServer: true })
else if (process.argv[out + 1] === undefined) {
  console.error('usage: scripts/build --guide [--out FOLDER]')
  process.exit(2)
} else await buildGuide(repository, path.resolve(process.argv[out + 1]!), { hasServer: false })
