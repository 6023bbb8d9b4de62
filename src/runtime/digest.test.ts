import { expect, test } from 'bun:test'
import { digestOfBytes, digestOfJson, looksLikeDigest, tableDigest } from './digest.ts'

test('the digest of a value depends on its JSON text only', () => {
  expect(digestOfJson({ a: 1 })).toBe('XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA')
  expect(digestOfJson({ é: '😀' })).toBe('JgXS6NYIYgFiDJib0b6rtl8qPb6q4S1A8Z7hRk6YJB4')
  expect(digestOfJson(null)).toBe('dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs')
})

test('the digest of bytes', () => {
  expect(digestOfBytes(new TextEncoder().encode('hello'))).toBe('LPJNulXwow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ')
  expect(digestOfBytes(new Uint8Array())).toBe('47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU')
})

test('the digest of a row table is computed from the digests of its rows', () => {
  expect(tableDigest([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(tableDigest([{ a: 1 }, { a: 2 }].map(digestOfJson))).toBe(
    '1c95cdc46a75d6e7e971986a80adfcd676dd22f2222a3405c7743f3db8df6785',
  )
})

test('recognizes the format of digests', () => {
  for (const digest of [digestOfJson(1), tableDigest([])]) expect(looksLikeDigest(digest)).toBe(true)
  for (const text of [
    '',
    'latest',
    'v0',
    'a'.repeat(42),
    'a'.repeat(44),
    '-'.repeat(43),
    'A'.repeat(64),
    'g'.repeat(64),
  ])
    expect(looksLikeDigest(text)).toBe(false)
})
