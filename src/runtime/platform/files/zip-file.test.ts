import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'
import { ZipFile } from './zip-file.ts'

const text = 'a text that repeats itself, '.repeat(1_000)
const compressed = new Map<number, Uint8Array>([
  [0, Buffer.from(text)],
  [8, deflateRawSync(text)],
  [93, zstdCompressSync(text)],
  [12, Buffer.from('bzip2')],
])
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tracelake-zip-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** An archive with the text as its only member. */
async function archiveOf(method: number, checksum = crc32(text)): Promise<string> {
  const name = Buffer.from('a.txt')
  const data = compressed.get(method)!
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(method, 4)
  common.writeUInt32LE(checksum, 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(text.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data])
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length, 16)
  const file = join(folder, `${method}-${checksum}.zip`)
  await writeFile(file, Buffer.concat([local, directory, end]))
  return file
}

describe.each([0, 8, 93])('a member compressed by method %d', (method) => {
  test('is read', async () => {
    using archive = await ZipFile.open(await archiveOf(method))
    expect(archive.names).toEqual(['a.txt'])
    expect(Buffer.from((await archive.read('a.txt', text.length))!).toString()).toBe(text)
    expect(await archive.read('b.txt', text.length)).toBeUndefined()
  })

  test('is refused if it exceeds the limit or its checksum is wrong', async () => {
    using archive = await ZipFile.open(await archiveOf(method))
    await expect(archive.read('a.txt', text.length - 1)).rejects.toThrow('exceeds the limit')
    using damaged = await ZipFile.open(await archiveOf(method, 1))
    await expect(damaged.read('a.txt', text.length)).rejects.toThrow('checksum')
  })
})

test('a method that is not supported, and a file that is no archive', async () => {
  using archive = await ZipFile.open(await archiveOf(12))
  await expect(archive.read('a.txt', text.length)).rejects.toThrow('method 12')
  const file = await archiveOf(8)
  await writeFile(file, (await readFile(file)).subarray(0, 40))
  await expect(ZipFile.open(file)).rejects.toThrow()
})
