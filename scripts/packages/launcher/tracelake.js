#!/usr/bin/env node
// Starts the executable from the package for this platform. Plain CommonJS, for every Node.js, Bun and Deno.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const process = require('node:process')

/** Whether the C library is musl, as in Alpine Linux. */
function isMusl() {
  const report = process.report?.getReport?.()
  if (report?.header?.glibcVersionRuntime) return false
  const loaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1']
  return !loaders.some((file) => fs.existsSync(file))
}

function findExecutable() {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const musl = os === 'linux' && isMusl() ? '-musl' : ''
  const name = `@tracelake/cli-${os}-${process.arch}${musl}`
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`))
    return path.join(folder, 'bin', os === 'windows' ? 'tracelake.exe' : 'tracelake')
  } catch {
    console.error(
      `tracelake: the package ${name} is not installed. Install with optional dependencies; there are packages for ` +
        'Linux and macOS (x64, arm64) and for Windows (x64)',
    )
    process.exit(2)
  }
}

const executable = findExecutable()
try {
  fs.accessSync(executable, fs.constants.X_OK)
} catch {
  // Some package managers do not keep modes of files.
  fs.chmodSync(executable, 0o755)
}
const child = spawn(executable, process.argv.slice(2), { stdio: 'inherit' })
// A terminal sends SIGINT to both processes. A second one would end the server without a flush.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('error', (error) => {
  console.error(`tracelake: cannot start ${executable}: ${error.message}`)
  process.exit(2)
})
child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
