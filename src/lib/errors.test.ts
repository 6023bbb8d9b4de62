import { expect, test } from 'bun:test'
import { describeDiskFault, findDiskFault } from './errors.ts'

test("a disk fault is recognized by its code or a library's message, also as the cause of another error", () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  expect(findDiskFault(full)).toBe('full')
  expect(findDiskFault(new Error('Flush', { cause: full }))).toBe('full')
  expect(findDiskFault(new Error('IO Error: Cannot open "x": Read-only file system'))).toBe('read-only')
  expect(findDiskFault(new Error('IO Error: Could not read: Input/output error'))).toBe('failing')
  expect(describeDiskFault(Object.assign(new Error(), { code: 'EMFILE' }))).toBe('too many open files')
  expect(findDiskFault(Object.assign(new Error(), { code: 'ENOENT' }))).toBeUndefined()
  expect(findDiskFault('no error')).toBeUndefined()
})
