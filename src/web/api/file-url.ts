import { apiUrl } from './api-request.ts'

/** Address of a stored file. */
export const fileUrl = (projectId: string, digest: string): string =>
  apiUrl(`/files/${projectId.split('/').map(encodeURIComponent).join('/')}/${encodeURIComponent(digest)}`)
