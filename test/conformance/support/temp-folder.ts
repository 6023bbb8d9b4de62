import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const makeTempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tracelake-conformance-'))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
