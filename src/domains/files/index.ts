/**
 * Uploaded files and their contents. Other code imports this subject through this file.
 */

export { startBlobSweep } from './blob-sweep.ts'
export { Files } from './files.ts'
export { filesApi, formPaths } from './operations/index.ts'
