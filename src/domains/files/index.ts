/**
 * Uploaded files and their contents. Other code imports this subject through this file.
 */

export { Files, startBlobSweep } from './files.ts'
export { filesApi, formPaths } from './operations/index.ts'
