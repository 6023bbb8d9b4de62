import { MiB } from '../../lib/bytes.ts'
import { defaultMemoryBytes, memoryLimits } from '../../lib/limits/memory.ts'
import { machineMemoryBytes } from '../platform/machine-memory.ts'
import { wholeNumber } from './config-error.ts'

/** What `TRACELAKE_MEMORY_MB` says, or its default here, in bytes. @throws ConfigError */
export const memoryBytesOf = (value: string | undefined): number =>
  value === undefined
    ? defaultMemoryBytes(machineMemoryBytes())
    : wholeNumber('TRACELAKE_MEMORY_MB', value, memoryLimits.bytesMin / MiB, 1_048_576) * MiB
