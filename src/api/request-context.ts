import type { Caller } from '../model/caller.ts'

/** What the application derives for every request before its handler runs. */
export type RequestContext = { caller: Caller; clientIp: string | undefined }
