import { expect, test } from 'bun:test'
import { mediaTypeOf } from './show-file.ts'

const typeOf = (start: string) => mediaTypeOf(Uint8Array.from(start, (char) => char.charCodeAt(0)))

test('knows contents by their first bytes', () => {
  const types = {
    '\x89PNG\r\n\x1a\nIHDR': 'image/png',
    '\xff\xd8\xff\xe0JFIF': 'image/jpeg',
    'GIF89a..': 'image/gif',
    'RIFF\0\0\0\0WEBPVP8 ': 'image/webp',
    'RIFF\0\0\0\0WAVEfmt ': 'audio/wav',
    '\0\0\0\x20ftypavif': 'image/avif',
    '\0\0\0\x20ftypM4A ': 'audio/mp4',
    '\0\0\0\x20ftypisom': 'video/mp4',
    'ID3\x04': 'audio/mpeg',
    '\xff\xfb\x90': 'audio/mpeg',
    'OggS\0': 'audio/ogg',
    '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm': 'video/webm',
    '%PDF-1.7': 'application/pdf',
  }
  expect(Object.fromEntries(Object.keys(types).map((start) => [start, typeOf(start)]))).toEqual(types)
})

test('knows nothing else, least of all what could run scripts', () => {
  const others = ['', '<svg xmlns="http://www.w3.org/2000/svg">', '<!doctype html>', ' \x89PNG', 'RIFF\0\0\0\0AVI ']
  for (const start of [
    ...others,
    '{"a":1}',
    '\x1a\x45\xdf\xa3matroska',
    '\0\0\0\x20ftypqt  ',
    '\xff\xfe<\0h\0',
    'GIF88a',
  ]) {
    expect(typeOf(start)).toBeUndefined()
  }
})
