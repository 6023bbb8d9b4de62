import { expect, test } from 'bun:test'
import { totalmem } from 'node:os'
import { controlGroupMemory, machineMemoryBytes } from './machine-memory.ts'

const memoryIn = (files: Readonly<Record<string, string>>) => controlGroupMemory((file) => files[file])

test('a container with version 2 sees its limit at the root of its groups', () => {
  expect(memoryIn({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '536870912\n' })).toBe(536_870_912)
})

test('a service has the lowest limit of its group and those above', () => {
  const service = '/sys/fs/cgroup/system.slice/tracelake.service'
  const files = {
    '/proc/self/cgroup': '0::/system.slice/tracelake.service\n',
    [`${service}/memory.max`]: '2147483648\n',
    [`${service}/memory.high`]: 'max\n',
  }
  expect(memoryIn(files)).toBe(2_147_483_648)
  expect(memoryIn({ ...files, [`${service}/memory.high`]: '1610612736\n' })).toBe(1_610_612_736)
  expect(memoryIn({ ...files, '/sys/fs/cgroup/system.slice/memory.max': '1073741824\n' })).toBe(1_073_741_824)
})

test('a container with version 1 sees its own files at the root, under the path of the host', () => {
  const files = {
    '/proc/self/cgroup': '5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '268435456\n',
    '/sys/fs/cgroup/cpu,cpuacct/memory.limit_in_bytes': '1\n',
  }
  expect(memoryIn(files)).toBe(268_435_456)
})

test.each([
  {},
  { '/proc/self/cgroup': '0::/\n' },
  { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': 'max\n' },
  { '/proc/self/cgroup': '4:memory:/\n', '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' },
  { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '' },
  { '/proc/self/cgroup': 'unreadable' },
])('without a limit there is none: %j', (files) => {
  expect(memoryIn(files)).toBeUndefined()
})

test('the memory of the machine is the most there is', () => {
  expect(machineMemoryBytes()).toBeGreaterThan(0)
  expect(machineMemoryBytes()).toBeLessThanOrEqual(totalmem())
})
