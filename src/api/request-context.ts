import type { Caller } from '../model/caller.ts'
import type { HttpClient } from '../platform/http-listener.ts'

/** What the application derives for every request before its handler runs. */
export type RequestContext = { caller: Caller; client: HttpClient | undefined }
