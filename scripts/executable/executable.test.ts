import { expect, test } from 'bun:test'
import path from 'node:path'
import { cacheFolder } from './load-library.ts'
import { targets, targetsNamed } from './targets.ts'
import { thinMachO } from './thin-mach-o.ts'
import { trimElf } from './trim-elf.ts'

test('targets have the packages and names of the registry', () => {
  expect(targets.map(({ name }) => name)).toEqual([
    'linux-x64',
    'linux-arm64',
    'linux-x64-musl',
    'linux-arm64-musl',
    'darwin-arm64',
    'darwin-x64',
    'windows-x64',
  ])
  expect(targetsNamed('windows-x64')[0]).toMatchObject({
    os: 'win32',
    runtimePackage: '@oven/bun-windows-x64',
    bindingsPackage: '@duckdb/node-bindings-win32-x64',
    executable: 'tracelake.exe',
  })
  expect(targetsNamed('linux-arm64-musl')[0]).toMatchObject({
    libc: 'musl',
    runtimePackage: '@oven/bun-linux-aarch64-musl',
    bindingsPackage: '@duckdb/node-bindings-linux-arm64-musl',
    compileTarget: 'bun-linux-arm64-musl',
  })
  expect(targetsNamed('all')).toEqual(targets)
  expect(() => targetsNamed('linux-x64,plan9')).toThrow('Unknown target "plan9"')
})

test('an ELF library ends with its last mapped segment', () => {
  const file = new Uint8Array(400)
  const view = new DataView(file.buffer)
  view.setUint32(0, 0x7f454c46)
  file.set([2, 1], 4)
  view.setBigUint64(0x20, 64n, true)
  view.setBigUint64(0x28, 350n, true)
  view.setUint16(0x38, 2, true)
  view.setUint16(0x3c, 7, true)
  view.setUint16(0x3e, 6, true)
  // A segment that is mapped from bytes 100 to 300, and one that is only described.
  view.setUint32(64, 1, true)
  view.setBigUint64(64 + 0x08, 100n, true)
  view.setBigUint64(64 + 0x20, 200n, true)
  view.setUint32(120, 4, true)
  view.setBigUint64(120 + 0x08, 390n, true)
  const trimmed = trimElf(file)
  expect(trimmed).toHaveLength(300)
  const after = new DataView(trimmed.buffer)
  expect([after.getBigUint64(0x28, true), after.getUint16(0x3c, true), after.getUint16(0x3e, true)]).toEqual([0n, 0, 0])
  expect(file).toHaveLength(400)
  expect(() => trimElf(new Uint8Array(100))).toThrow('no 64-bit little-endian ELF file')
})

test('a universal Mach-O file is reduced to one processor', () => {
  const file = new Uint8Array(120)
  const view = new DataView(file.buffer)
  view.setUint32(0, 0xcafebabe)
  view.setUint32(4, 2)
  const describe = (at: number, cpu: number, offset: number, bytes: number) => {
    view.setUint32(at, cpu)
    view.setUint32(at + 8, offset)
    view.setUint32(at + 12, bytes)
  }
  describe(8, 0x01000007, 60, 10)
  describe(28, 0x0100000c, 80, 20)
  file.fill(7, 60, 70)
  file.fill(8, 80, 100)
  expect([...thinMachO(file, 'x64')]).toEqual(new Array(10).fill(7))
  expect([...thinMachO(file, 'arm64')]).toEqual(new Array(20).fill(8))
  const thin = thinMachO(file, 'arm64')
  view.setUint32(4, 1)
  expect(() => thinMachO(file, 'arm64')).toThrow('no part for arm64')
  expect(thinMachO(thin, 'arm64')).toBe(thin)
})

test('the library is placed in the cache folder of the system', () => {
  expect(cacheFolder('linux', { XDG_CACHE_HOME: '/cache' })).toBe('/cache')
  expect(cacheFolder('win32', { LOCALAPPDATA: 'C:\\local' })).toBe('C:\\local')
  expect(cacheFolder('win32', {})).toEndWith(`${path.sep}.cache`)
  expect(cacheFolder('darwin', { LOCALAPPDATA: 'elsewhere' })).toEndWith(`${path.sep}.cache`)
})
