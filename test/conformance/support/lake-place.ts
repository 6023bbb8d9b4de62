import { basename } from 'node:path'
import process from 'node:process'

/** See `lakeOf`. */
export const isInLake = (process.env['TRACELAKE_TEST_LAKE'] ?? '') !== ''

/**
 * With `TRACELAKE_TEST_LAKE`, such as `s3://lake/conformance`, every server keeps its data in a
 * lake below that address, and its folder is the cache. The suite `lake` does that.
 */
export const lakeOf = (data: string): string => `${process.env['TRACELAKE_TEST_LAKE']}/${basename(data)}`

/** Options that say to a command where the data of a server is. */
export const placeOf = (data: string): string[] => (isInLake ? ['--lake', lakeOf(data)] : ['--data', data])
